import type { DeployedTrigger, TriggersApi } from '../api/triggers-api.ts';
import { type Failed, failable } from '../failable.ts';
import type { ProjectFunction, Skipped, Trigger } from '../project.ts';
import { digest } from './digest.ts';

/** A schedule that is on the host. `unchanged`: it had been there already, just so. */
export interface PutTrigger {
  readonly name: string;
  /** `package/function`, or `function` in the default package. */
  readonly function: string;
  readonly cron: string;
  readonly unchanged: boolean;
}

/** What became of the triggers of a project. */
export interface TriggersOutcome {
  readonly triggers: readonly PutTrigger[];
  /** Names of triggers that an earlier deployment made and the project no longer has. */
  readonly removedTriggers: readonly string[];
  readonly skipped: readonly Skipped[];
  readonly failed: readonly Failed[];
}

/** A function that is on the host, with the triggers it is to have and those that the deployment before made for it. */
export interface Triggered {
  readonly entry: ProjectFunction;
  readonly formerTriggers: readonly string[];
}

/** What becomes of the triggers of a project that has none. */
export const NO_TRIGGERS: TriggersOutcome = { triggers: [], removedTriggers: [], skipped: [], failed: [] };

const NO_TOKEN =
  "the platform wants a token of the account for triggers, and the namespace's key is none: set DIGITALOCEAN_ACCESS_TOKEN and deploy again";

/**
 * Brings the triggers of deployed functions to what project.yml says (platform reference, REST row 17): each is deleted and made anew; those
 * that an earlier deployment made and project.yml no longer has go. Incremental: one that is there just so is left alone.
 */
export async function putTriggers(
  functions: readonly Triggered[],
  api: TriggersApi | null,
  { incremental, onResult }: { readonly incremental: boolean; readonly onResult: (line: string) => void },
): Promise<TriggersOutcome> {
  const wanted = functions.flatMap(({ entry }) => entry.triggers.map((trigger) => deployedAs(trigger, entry)));
  const dropped = functions.flatMap(({ entry, formerTriggers }) =>
    formerTriggers.filter((name) => !wanted.some((trigger) => trigger.name === name)).map((name) => ({ name, function: entry.fullName })),
  );
  if (wanted.length === 0 && dropped.length === 0) return NO_TRIGGERS;
  if (api === null) return withoutAccess(wanted, dropped, onResult);
  const listed = dropped.length > 0 || incremental ? await failable('triggers', () => api.list()) : [];
  const outcome =
    'failed' in listed ? { ...NO_TRIGGERS, failed: [listed.failed] } : await replaceAll(wanted, dropped, listed, incremental, api);
  for (const { name, unchanged, cron } of outcome.triggers) onResult(`${unchanged ? 'unchanged' : 'deployed'} trigger ${name} "${cron}"`);
  for (const name of outcome.removedTriggers) onResult(`removed trigger ${name}`);
  for (const { name } of outcome.failed) onResult(`failed ${name}`);
  return outcome;
}

type Dropped = Pick<DeployedTrigger, 'name' | 'function'>;

async function replaceAll(
  wanted: readonly DeployedTrigger[],
  dropped: readonly Dropped[],
  listed: readonly DeployedTrigger[],
  incremental: boolean,
  api: TriggersApi,
): Promise<TriggersOutcome> {
  const failed: Failed[] = [];
  const removedTriggers: string[] = [];
  // One of the same name that runs another function now is not the one that was made here.
  for (const { name } of dropped.filter((gone) => listed.some((is) => is.name === gone.name && is.function === gone.function))) {
    const removed = await failable(`trigger ${name}`, () => api.remove(name));
    if (typeof removed === 'object') failed.push(removed.failed);
    else removedTriggers.push(name);
  }
  const triggers: PutTrigger[] = [];
  for (const trigger of wanted) {
    const { name, function: target, cron } = trigger;
    const unchanged = incremental && listed.some((is) => is.name === name && digest(is) === digest(trigger));
    const replaced = unchanged ? undefined : await failable(`trigger ${name}`, () => replace(trigger, api));
    if (replaced !== undefined) failed.push(replaced.failed);
    else triggers.push({ name, function: target, cron, unchanged });
  }
  return { ...NO_TRIGGERS, triggers, removedTriggers, failed };
}

async function replace(trigger: DeployedTrigger, api: TriggersApi): Promise<void> {
  await api.remove(trigger.name);
  await api.create(trigger);
}

function deployedAs({ name, enabled, cron, body }: Trigger, entry: ProjectFunction): DeployedTrigger {
  return { name, function: entry.fullName, isEnabled: enabled, cron, body };
}

function withoutAccess(wanted: readonly DeployedTrigger[], dropped: readonly Dropped[], onResult: (line: string) => void): TriggersOutcome {
  const skipped = [
    ...wanted.map(({ name }) => ({ name: `trigger ${name}`, reason: `not deployed: ${NO_TOKEN}` })),
    ...dropped.map(({ name }) => ({ name: `trigger ${name}`, reason: `not removed: ${NO_TOKEN}` })),
  ];
  for (const { name } of skipped) onResult(`skipped ${name}`);
  return { ...NO_TRIGGERS, skipped };
}
