import { CliError } from '../../cli-error.ts';
import { nameOf } from '../api/function-name.ts';
import { namespaceClient } from '../api/namespace-client.ts';
import { type Action, annotationOf } from '../api/wire.ts';
import type { ListOptions, TargetOptions } from '../options.ts';
import { printJson, printLine } from '../output/print.ts';
import { type Column, printList } from '../output/table.ts';
import { shortTime } from '../output/times.ts';
import { resolveTarget } from '../target/resolve-target.ts';

export interface ListFunctionsOptions extends TargetOptions, ListOptions {
  readonly limit?: number;
  readonly skip?: number;
  readonly count?: boolean;
  readonly name?: boolean;
  readonly nameSort?: boolean;
}

const columns: readonly Column<Action>[] = [
  { key: 'Update', heading: 'Latest Update', value: ({ updated }) => (updated === undefined ? '' : shortTime(updated)) },
  { key: 'Version', heading: 'Latest Version', value: ({ version }) => version },
  { key: 'Runtime', heading: 'Runtime Kind', value: kindOf },
  { key: 'Function', heading: 'Function Name', value: nameOf },
];

/** `functions list`: every function, or those of a package. */
export async function listFunctions(packageName: string | undefined, options: ListFunctionsOptions): Promise<void> {
  if (options.count && options.format !== undefined) throw new CliError('--count and --format exclude each other: give one of them');
  const client = namespaceClient(resolveTarget(options));
  const { limit, skip } = options;
  const found = await client.functions({ ...(packageName !== undefined && { package: packageName }), limit, skip });
  if (options.count) {
    if (options.output === 'json') printJson({ functions: found.length });
    else printLine(`There ${found.length === 1 ? 'is 1 function' : `are ${found.length} functions`} in this namespace.`);
    return;
  }
  const byName = options.name || options.nameSort;
  printList(byName ? found.toSorted((a, b) => nameOf(a).localeCompare(nameOf(b))) : found, columns, options);
}

function kindOf(action: Action): string {
  const kind = annotationOf(action, 'exec') ?? action.exec?.kind;
  return typeof kind === 'string' ? kind : '<unknown>';
}
