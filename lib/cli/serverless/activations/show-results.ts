import { namespaceClient } from '../api/namespace-client.ts';
import type { OutputOptions, TargetOptions } from '../options.ts';
import { printJson, printLine } from '../output/print.ts';
import { resolveTarget } from '../target/resolve-target.ts';
import { banner } from './describe-activation.ts';
import { type LastOptions, lastActivations, ofActivation } from './known-activation.ts';

export interface ResultOptions extends TargetOptions, OutputOptions, LastOptions {
  readonly quiet?: boolean;
}

/** `activations result`: of one, or of the last ones in the order they came. */
export async function showResults(id: string | undefined, options: ResultOptions): Promise<void> {
  const client = namespaceClient(resolveTarget(options));
  if (id !== undefined) {
    printJson(await ofActivation(id, client.result));
    return;
  }
  const activations = (await lastActivations(client, options, true)).toReversed();
  if (options.output === 'json') {
    printJson(activations.map(({ activationId, response }) => ({ activationId, result: response?.result ?? null })));
    return;
  }
  for (const activation of activations) {
    if (!options.quiet) printLine(banner(activation));
    printJson(activation.response?.result ?? null);
  }
}
