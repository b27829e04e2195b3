import { isPlatformHost } from '../../../deployer/api/triggers-api.ts';
import { didYouMean } from '../../../deployer/nearest-name.ts';
import { CliError } from '../../cli-error.ts';
import { typed } from '../../typed.ts';
import { asPath, functionName } from '../api/function-name.ts';
import { type NamespaceClient, namespaceClient } from '../api/namespace-client.ts';
import { type PlatformClient, platformClient } from '../api/platform-client.ts';
import { ApiError, refusal, send } from '../api/send.ts';
import type { Trigger } from '../api/wire.ts';
import type { AccountOptions, ListOptions, OutputOptions } from '../options.ts';
import { printJson } from '../output/print.ts';
import { type Column, printList } from '../output/table.ts';
import { resolveAccount } from '../target/resolve-account.ts';
import { resolveTarget } from '../target/resolve-target.ts';

export interface ListTriggersOptions extends AccountOptions, ListOptions {
  readonly function?: string;
}

const columns: readonly Column<Trigger>[] = [
  { key: 'Name', heading: 'Name', value: ({ name }) => name },
  { key: 'Cron', heading: 'Cron Expression', value: ({ scheduled_details }) => scheduled_details?.cron ?? '' },
  { key: 'Function', heading: 'Invokes', value: (trigger) => trigger.function },
  { key: 'Enabled', heading: 'Enabled', value: ({ is_enabled }) => String(is_enabled) },
  { key: 'LastRun', heading: 'Last Run At', value: ({ scheduled_runs }) => scheduled_runs?.last_run_at || '_' },
];

/** The triggers of the namespace one works in: where they are kept, and under which name. */
export interface TriggersAccess {
  readonly namespace: string;
  readonly host: NamespaceClient;
  readonly api: PlatformClient;
}

/** `triggers list`. */
export async function listTriggers(options: ListTriggersOptions): Promise<void> {
  const { api, namespace } = await triggersAccess(options);
  const wanted = options.function === undefined ? null : functionName(options.function);
  const all = await api.triggers(namespace);
  // The API does not pick out those of a function.
  printList(wanted === null ? all : all.filter((trigger) => trigger.function === wanted), columns, options);
}

/** `triggers get`. */
export async function getTrigger(name: string, options: AccountOptions & ListOptions): Promise<void> {
  const access = await triggersAccess(options);
  printTrigger(await known(access, name, () => access.api.trigger(access.namespace, name)), options);
}

/** `triggers enable` and `triggers disable`. */
export async function switchTrigger(name: string, isEnabled: boolean, options: AccountOptions & ListOptions): Promise<void> {
  const access = await triggersAccess(options);
  printTrigger(await known(access, name, () => access.api.enableTrigger(access.namespace, name, isEnabled)), options);
}

/** `triggers fire`: the platform has no such thing; a host of ours does. */
export async function fireTrigger(name: string, options: AccountOptions & OutputOptions): Promise<void> {
  const access = await triggersAccess(options);
  await known(access, name, () => access.api.trigger(access.namespace, name));
  const { origin, authorization } = access.host;
  const reply = await send({ method: 'POST', url: `${origin}/_local/triggers/${asPath(name)}/fire`, authorization });
  if (reply.status === 404)
    throw new CliError(`${origin} fires no triggers on demand: invoke the function itself, ${typed('serverless functions invoke')}`);
  const refused = refusal(reply);
  if (refused) throw refused;
  printJson(reply.body);
}

/** A namespace's key opens what is in it on any host but the platform, which wants the account's token. */
export async function triggersAccess(options: AccountOptions): Promise<TriggersAccess> {
  const target = resolveTarget(options);
  const host = namespaceClient(target);
  const namespace = await host.namespace();
  if (!isPlatformHost(target.apihost)) return { namespace, host, api: platformClient(host.origin, host.authorization) };
  const { origin, token } = resolveAccount(options);
  return { namespace, host, api: platformClient(origin, `Bearer ${token}`) };
}

function printTrigger(trigger: Trigger, options: ListOptions): void {
  if (options.output === 'json') printJson(trigger);
  else printList([trigger], columns, options);
}

/** What a call for a trigger brings; CliError with the nearest name where there is none of that name. */
async function known<T>({ api, namespace }: TriggersAccess, name: string, call: () => Promise<T>): Promise<T> {
  try {
    return await call();
  } catch (error) {
    if (!(error instanceof ApiError) || error.status !== 404) throw error;
    const names = (await api.triggers(namespace)).map((trigger) => trigger.name);
    const there = names.length === 0 ? 'there are none' : `there are: ${names.join(', ')}`;
    throw new CliError(`there is no trigger ${name}${didYouMean(name, names)} (${there})`, { cause: error });
  }
}
