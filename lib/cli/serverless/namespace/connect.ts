import { originOf } from '../../../deployer/api/connection.ts';
import { CliError } from '../../cli-error.ts';
import { typed } from '../../typed.ts';
import { namespaceClient } from '../api/namespace-client.ts';
import { platformClient } from '../api/platform-client.ts';
import type { Namespace } from '../api/wire.ts';
import { ask } from '../confirm.ts';
import type { AccountOptions, OutputOptions } from '../options.ts';
import { printJson, printLine, tell } from '../output/print.ts';
import { connectedFile, writeCredentials } from '../target/credentials-file.ts';
import { resolveAccount } from '../target/resolve-account.ts';
import { findTarget } from '../target/resolve-target.ts';

export interface ConnectOptions extends AccountOptions, OutputOptions {
  readonly accessKey?: string;
}

/** Which namespace, where, and the key to it. */
interface Connection {
  readonly apihost: string;
  readonly namespace: string;
  readonly auth: string;
}

/**
 * `connect`: stores the namespace to work in, by its key, or chosen among those of the account. The key is tried before it is stored.
 */
export async function connect(hint: string | undefined, options: ConnectOptions): Promise<void> {
  const { apihost, auth, accessKey } = options;
  if ((apihost === undefined) !== (auth === undefined)) throw new CliError('--apihost and --auth belong together: give both, or neither');
  if (accessKey !== undefined) checkAccessKey(accessKey);
  const connection =
    apihost !== undefined && auth !== undefined ? await byKey(apihost, auth) : await byAccount(hint, options, accessKey ?? null);
  store(connection);
  if (options.output === 'json') printJson({ apihost: connection.apihost, namespace: connection.namespace });
  else printLine(`Connected to functions namespace '${connection.namespace}' on API host '${connection.apihost}'`);
}

/** Makes a namespace of the account, which carries its key, the one to work in. */
export function storeConnection(namespace: Namespace, origin: string): void {
  const connection = connectionOf(namespace);
  store(connection);
  tell(`connected to ${connection.namespace} on ${connection.apihost} (managed at ${origin})`);
}

async function byKey(apihost: string, auth: string): Promise<Connection> {
  return { apihost: originOf(apihost), namespace: await namespaceClient({ apihost, auth }).namespace(), auth };
}

async function byAccount(hint: string | undefined, options: AccountOptions, accessKey: string | null): Promise<Connection> {
  const { origin, token } = resolveAccount(options);
  const client = platformClient(origin, `Bearer ${token}`);
  const all = await client.namespaces();
  const matching = all.filter(({ namespace, label = '' }) => hint === undefined || namespace.includes(hint) || label.includes(hint));
  if (matching.length === 0) {
    const none = hint === undefined ? 'you have no namespaces' : `you have no namespaces matching ${hint}`;
    throw new CliError(`${none}: ${typed('serverless namespaces list')} shows them, ${typed('serverless namespaces create')} makes one`);
  }
  const chosen = await client.namespace((await choose(matching)).namespace);
  const connection = accessKey === null ? connectionOf(chosen) : { apihost: chosen.api_host, namespace: chosen.namespace, auth: accessKey };
  const owner = await namespaceClient(connection).namespace();
  if (owner === chosen.namespace) return connection;
  throw new CliError(`the key is not one of namespace ${chosen.namespace}, but of ${owner}`);
}

function connectionOf({ api_host: apihost, namespace, uuid, key }: Namespace): Connection {
  if (uuid === undefined || key === undefined) {
    throw new CliError(`the key of namespace ${namespace} is not told: connect with an access key, --access-key <key>`);
  }
  return { apihost, namespace, auth: `${uuid}:${key}` };
}

async function choose(namespaces: readonly Namespace[]): Promise<Namespace> {
  const [only, ...others] = namespaces;
  if (only !== undefined && others.length === 0) return only;
  for (const [index, { namespace, region, label }] of namespaces.entries()) {
    tell(`${index}: ${namespace} in ${region ?? '?'}, label=${label ?? ''}`);
  }
  const answer = await ask('Choose a namespace by number: ', 'more than one namespace matches: name one of them by its id or label');
  const chosen = /^\d+$/.test(answer) ? namespaces[Number(answer)] : undefined;
  if (chosen) return chosen;
  throw new CliError(`"${answer}" is none of the numbers; nothing was done`);
}

function store({ apihost, namespace, auth }: Connection): void {
  writeCredentials(connectedFile(), { apihost: originOf(apihost), namespace, auth });
  const first = findTarget({});
  if (first && first.source !== 'connected') {
    const where = first.source === 'environment' ? 'the environment names another' : `the host of this machine is nearer (${first.file})`;
    tell(`note: in this directory commands need --connected to use it, since ${where}`);
  }
}

function checkAccessKey(key: string): void {
  if (/^dof_v1_[^:]+:[^:]+$/.test(key)) return;
  throw new CliError(`--access-key: expected dof_v1_<id>:<secret>, as ${typed('serverless key create')} tells it`);
}
