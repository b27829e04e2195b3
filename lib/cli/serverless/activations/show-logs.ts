import { untilInterrupted } from '../../until-interrupted.ts';
import { namespaceClient } from '../api/namespace-client.ts';
import type { Activation } from '../api/wire.ts';
import type { OutputOptions, TargetOptions } from '../options.ts';
import { printJson, printLine } from '../output/print.ts';
import { resolveTarget } from '../target/resolve-target.ts';
import { banner, failureOf, packageOf, stripped } from './describe-activation.ts';
import { followActivations } from './follow-activations.ts';
import { type LastOptions, lastActivations, ofActivation } from './known-activation.ts';

export interface LogsOptions extends TargetOptions, OutputOptions, LastOptions {
  readonly package?: string;
  readonly strip?: boolean;
  readonly follow?: boolean;
}

/** `activations logs`: of one, of the last ones in the order they came, or of all that come from now on. */
export async function showLogs(id: string | undefined, options: LogsOptions): Promise<void> {
  const client = namespaceClient(resolveTarget(options));
  const isWanted = (activation: Activation): boolean => options.package === undefined || packageOf(activation) === options.package;
  if (id !== undefined) {
    const activation = await ofActivation(id, client.activation);
    if (options.output === 'json') printJson({ logs: activation.logs ?? [] });
    else printLogs(activation, options);
  } else if (options.follow) {
    const { signal } = untilInterrupted();
    for await (const activation of followActivations(client, options.function, signal)) {
      if (isWanted(activation)) printActivation(activation, options);
    }
  } else {
    // The API knows no packages: those of one are picked out of what it lists.
    const wanted = options.package === undefined ? options : { ...options, limit: 200 };
    const found = (await lastActivations(client, wanted, true)).filter(isWanted).slice(0, options.limit ?? 1);
    if (options.output === 'json') printJson(found.toReversed().map(logsOf));
    else for (const activation of found.toReversed()) printActivation(activation, options);
  }
}

/** An activation and what it printed; as JSON on one line, so that a program can read while it follows. */
function printActivation(activation: Activation, options: LogsOptions): void {
  if (options.output === 'json') {
    printLine(JSON.stringify(logsOf(activation)));
    return;
  }
  printLine(banner(activation));
  printLogs(activation, options);
  printLine('');
}

/** What a program is told of an activation that printed something. */
function logsOf({ activationId, name, version, start, logs = [] }: Activation): object {
  return { activationId, name, version, start, logs };
}

/** What an activation printed, and what it failed with unless it printed that itself. */
function printLogs(activation: Activation, { strip }: LogsOptions): void {
  const { logs = [] } = activation;
  for (const line of logs) printLine(strip ? stripped(line) : line);
  const failure = failureOf(activation);
  if (failure !== null && !logs.map(stripped).join('\n').includes(failure)) printLine(`! ${failure.replaceAll('\n', '\n  ')}`);
}
