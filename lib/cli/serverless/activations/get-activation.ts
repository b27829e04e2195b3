import { CliError } from '../../cli-error.ts';
import { namespaceClient } from '../api/namespace-client.ts';
import type { OutputOptions, TargetOptions } from '../options.ts';
import { printJson, printLine } from '../output/print.ts';
import { shortTime } from '../output/times.ts';
import { resolveTarget } from '../target/resolve-target.ts';
import { banner, stripped } from './describe-activation.ts';
import { type LastOptions, lastActivations, ofActivation } from './known-activation.ts';

export interface GetActivationOptions extends TargetOptions, OutputOptions, Pick<LastOptions, 'function' | 'skip'> {
  readonly logs?: boolean;
  readonly result?: boolean;
  readonly quiet?: boolean;
}

/** `activations get`: the record, or its logs or result alone. */
export async function getActivation(given: string | undefined, options: GetActivationOptions): Promise<void> {
  const client = namespaceClient(resolveTarget(options));
  const [last] = given === undefined ? await lastActivations(client, options, false) : [];
  const id = given ?? last?.activationId ?? '';
  const inPart = options.logs === true || options.result === true;
  if (last && inPart && !options.quiet && options.output === 'text') printLine(banner(last));
  if (options.logs) {
    const logs = await ofActivation(id, client.logs);
    if (logs.length === 0) throw new CliError(`activation ${id} printed nothing`);
    if (options.output === 'json') printJson({ logs });
    else for (const line of logs) printLine(stripped(line));
  } else if (options.result) {
    printJson(await ofActivation(id, client.result));
  } else {
    const activation = await ofActivation(id, client.activation);
    printJson({ ...activation, date: shortTime(activation.start) });
  }
}
