import { CliError } from '../../cli-error.ts';
import { namespaceClient } from '../api/namespace-client.ts';
import type { PlatformClient } from '../api/platform-client.ts';
import type { AccessKey } from '../api/wire.ts';
import { confirm } from '../confirm.ts';
import type { AccountOptions, ListOptions, OutputOptions } from '../options.ts';
import { printJson, printLine, tell } from '../output/print.ts';
import { type Column, printList } from '../output/table.ts';
import { resolveTarget } from '../target/resolve-target.ts';
import { accountClient, namedNamespace } from './namespaces.ts';

interface KeyOptions extends AccountOptions {
  readonly namespace?: string;
}

export interface CreateKeyOptions extends KeyOptions, ListOptions {
  readonly name: string;
  readonly expiration: string;
}

export interface DeleteKeyOptions extends KeyOptions, OutputOptions {
  readonly force?: boolean;
}

const columns: readonly Column<AccessKey>[] = [
  { key: 'ID', heading: 'ID', value: ({ id }) => id },
  { key: 'Name', heading: 'Name', value: ({ name }) => name },
  { key: 'CreatedAt', heading: 'Created At', value: ({ created_at }) => created_at ?? '' },
  { key: 'ExpiresAt', heading: 'Expires At', value: ({ expires_at }) => expires_at ?? '' },
];

const withSecret: readonly Column<AccessKey>[] = columns.toSpliced(2, 0, {
  key: 'Secret',
  heading: 'Secret',
  value: ({ secret }) => secret ?? '',
});

/** `key list`. */
export async function listKeys(options: KeyOptions & ListOptions): Promise<void> {
  const { client, namespace } = await keysAccess(options);
  printList(await client.keys(namespace), columns, options);
}

/** `key create`. */
export async function createKey(options: CreateKeyOptions): Promise<void> {
  const expiresIn = readExpiration(options.expiration);
  const { client, namespace } = await keysAccess(options);
  const key = await client.createKey(namespace, options.name, expiresIn);
  tell(`The secret of ${options.name} is told this once: keep it.`);
  if (options.output === 'json') printJson(key);
  else printList([key], withSecret, options);
}

/** `key delete`. */
export async function deleteKey(id: string, options: DeleteKeyOptions): Promise<void> {
  const { client, namespace } = await keysAccess(options);
  if (!options.force) await confirm(`Delete key ${id}? Whoever uses it loses access.`, '--force');
  await client.deleteKey(namespace, id);
  if (options.output === 'json') printJson({ deleted: id });
  else printLine(`Key ${id} has been deleted.`);
}

/** The account's API, and the namespace that is named or else the one worked in. */
async function keysAccess(options: KeyOptions): Promise<{ readonly client: PlatformClient; readonly namespace: string }> {
  const client = accountClient(options);
  if (options.namespace !== undefined) return { client, namespace: (await namedNamespace(client, options.namespace)).namespace };
  return { client, namespace: await namespaceClient(resolveTarget(options)).namespace() };
}

/** Hours or days as they were given, or null for never. */
function readExpiration(given: string): string | null {
  if (given === 'never') return null;
  if (/^[1-9]\d*[hd]$/.test(given)) return given;
  throw new CliError(`--expiration ${given}: expected hours or days, such as 12h or 7d, at least 1h, or never`);
}
