import { CliError } from '../../cli-error.ts';
import { functionName } from '../api/function-name.ts';
import { namespaceClient } from '../api/namespace-client.ts';
import { type Activation, annotationOf } from '../api/wire.ts';
import type { ListOptions, TargetOptions } from '../options.ts';
import { printJson, printLine, tell } from '../output/print.ts';
import { type Column, printList } from '../output/table.ts';
import { shortTime } from '../output/times.ts';
import { resolveTarget } from '../target/resolve-target.ts';
import { functionOf, outcomeOf } from './describe-activation.ts';

export interface ListActivationsOptions extends TargetOptions, ListOptions {
  readonly function?: string;
  readonly limit: number;
  readonly skip?: number;
  readonly since?: number;
  readonly upto?: number;
  readonly count?: boolean;
  readonly full?: boolean;
}

const columns: readonly Column<Activation>[] = [
  { key: 'Datetime', heading: 'Datetime', value: ({ start }) => shortTime(start) },
  { key: 'Status', heading: 'Status', value: outcomeOf },
  { key: 'Kind', heading: 'Kind', value: (activation) => String(annotationOf(activation, 'kind') ?? '') },
  { key: 'Version', heading: 'Version', value: ({ version }) => version },
  { key: 'ActivationID', heading: 'Activation ID', value: ({ activationId }) => activationId },
  // Only a cold start has a time of its own for the init.
  { key: 'Start', heading: 'Start', value: (activation) => (annotationOf(activation, 'initTime') === undefined ? 'warm' : 'cold') },
  { key: 'Wait', heading: 'Wait', value: (activation) => String(annotationOf(activation, 'waitTime') ?? '') },
  { key: 'Duration', heading: 'Duration', value: ({ duration }) => (duration === undefined ? '' : `${duration}ms`) },
  { key: 'Function', heading: 'Function', value: functionOf },
];

const MOST = 200;

/** `activations list`: of the namespace, or of a function. */
export async function listActivations(given: string | undefined, options: ListActivationsOptions): Promise<void> {
  if (given !== undefined && options.function !== undefined) {
    throw new CliError('the function is named twice: as an argument, and by --function; give one of them');
  }
  const function_ = given ?? options.function;
  const name = function_ === undefined ? undefined : functionName(function_);
  const { since, upto, limit, skip, full } = options;
  const client = namespaceClient(resolveTarget(options));
  if (options.count) {
    const activations = await client.countActivations({ name, since, upto });
    if (options.output === 'json') printJson({ activations });
    else printLine(`You have ${activations} activations in this namespace${name === undefined ? '' : ` for function ${name}`}`);
    return;
  }
  if (limit > MOST) tell(`--limit ${limit}: ${MOST} are listed at a time; --skip ${MOST} goes on behind them`);
  const found = await client.activations({ name, since, upto, skip, limit: Math.min(limit, MOST), docs: full });
  printList(found, columns, full ? { ...options, output: 'json' } : options);
}
