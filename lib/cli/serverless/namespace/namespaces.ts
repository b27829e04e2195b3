import { didYouMean } from '../../../deployer/nearest-name.ts';
import { CliError } from '../../cli-error.ts';
import { typed } from '../../typed.ts';
import { type PlatformClient, platformClient } from '../api/platform-client.ts';
import type { Namespace } from '../api/wire.ts';
import { confirm } from '../confirm.ts';
import type { AccountOptions, ListOptions, OutputOptions } from '../options.ts';
import { printJson, printLine, tell } from '../output/print.ts';
import { type Column, printList } from '../output/table.ts';
import { resolveAccount } from '../target/resolve-account.ts';
import { storeConnection } from './connect.ts';

export interface CreateNamespaceOptions extends AccountOptions, OutputOptions {
  readonly label: string;
  readonly region: string;
  readonly connect: boolean;
}

export interface DeleteNamespaceOptions extends AccountOptions, OutputOptions {
  readonly force?: boolean;
}

const columns: readonly Column<Namespace>[] = [
  { key: 'Label', heading: 'Label', value: ({ label }) => label ?? '' },
  { key: 'Region', heading: 'Region', value: ({ region }) => region ?? '' },
  { key: 'ID', heading: 'Namespace ID', value: ({ namespace }) => namespace },
  { key: 'Host', heading: 'API Host', value: ({ api_host }) => api_host },
];

/** Where the platform has functions: the region, and its data centre. */
const regions: Readonly<Record<string, string>> = {
  ams: 'ams3',
  blr: 'blr1',
  fra: 'fra1',
  lon: 'lon1',
  nyc: 'nyc1',
  sfo: 'sfo3',
  sgp: 'sgp1',
  syd: 'syd1',
  tor: 'tor1',
};

/** The API as the account's owner. */
export function accountClient(options: AccountOptions): PlatformClient {
  const { origin, token } = resolveAccount(options);
  return platformClient(origin, `Bearer ${token}`);
}

/** `namespaces list`. */
export async function listNamespaces(options: AccountOptions & ListOptions): Promise<void> {
  const namespaces = await accountClient(options).namespaces();
  printList(options.output === 'json' ? namespaces.map(withoutKey) : namespaces, columns, options);
}

/** `namespaces get`. */
export async function getNamespace(given: string, options: AccountOptions & OutputOptions): Promise<void> {
  printJson(withoutKey(await namedNamespace(accountClient(options), given)));
}

/** `namespaces create`: labels are held to be unique, as the platform's command line holds them. */
export async function createNamespace(options: CreateNamespaceOptions): Promise<void> {
  const { label } = options;
  const region = knownRegion(options.region);
  const client = accountClient(options);
  if ((await client.namespaces()).some((namespace) => namespace.label === label)) {
    throw new CliError(`the label ${label} is that of another namespace: choose one that is not taken`);
  }
  const created = await client.createNamespace(label, region);
  if (options.connect) storeConnection(created, client.origin);
  if (options.output === 'json') printJson(withoutKey(created));
  else printLine(`New namespace ${created.namespace} created${options.connect ? '' : ', but not connected'}.`);
}

/** `namespaces delete`: by the whole id or label. */
export async function deleteNamespace(given: string, options: DeleteNamespaceOptions): Promise<void> {
  const client = accountClient(options);
  const { namespace, label } = await namedNamespace(client, given);
  tell(`Deleting namespace ${namespace} with label ${label ?? ''}, with all functions in it.`);
  if (!options.force) await confirm('Delete it?', '--force');
  await client.deleteNamespace(namespace);
  if (options.output === 'json') printJson({ deleted: namespace });
  else printLine('Namespace successfully deleted');
}

/** `namespaces list-regions`. */
export async function listRegions({ output }: OutputOptions): Promise<void> {
  const all = Object.entries(regions).flat().sort();
  if (output === 'json') printJson(all);
  else printLine(all.join(' '));
}

/** The namespace of this id or label. CliError where there is none. */
export async function namedNamespace(client: PlatformClient, given: string): Promise<Namespace> {
  const all = await client.namespaces();
  const found = all.find(({ namespace, label }) => given === namespace || given === label);
  if (found) return found;
  const names = all.flatMap(({ namespace, label }) => [namespace, ...(label === undefined ? [] : [label])]);
  throw new CliError(
    `none of your namespaces has the id or label ${given}${didYouMean(given, names)}; ${typed('serverless namespaces list')} shows them`,
  );
}

function knownRegion(given: string): string {
  const region = regions[given] ?? Object.values(regions).find((centre) => centre === given);
  if (region !== undefined) return region;
  const all = Object.entries(regions).flat().sort();
  throw new CliError(`--region ${given} is no region${didYouMean(given, all)} (regions: ${all.join(', ')})`);
}

/** What is printed may end in a log: the key is shown by `status --credentials` alone. */
function withoutKey({ key: _key, ...rest }: Namespace): Namespace {
  return rest;
}
