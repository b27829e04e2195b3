import { type DeployedTrigger, type TriggersApi, triggersApi } from './api/triggers-api.ts';
import { DeployError } from './deploy-error.ts';
import { type Failed, failable } from './failable.ts';
import { type FunctionsApi, functionsApi, type Target } from './functions-api.ts';
import { didYouMean } from './nearest-name.ts';
import type { Project } from './project.ts';

/** What is to go, by name: functions with their triggers, packages with everything in them, triggers alone. */
export interface ToUndeploy {
  readonly functions?: readonly string[];
  readonly packages?: readonly string[];
  readonly triggers?: readonly string[];
}

export interface UndeployOptions {
  /** A token of the account: on the platform itself triggers go with it alone. */
  readonly accessToken?: string;
  /** The platform's API. Default: the public one. */
  readonly platformUrl?: string;
  /** Told of each step, a line at a time. */
  readonly onProgress?: (line: string) => void;
}

/** Something that is gone. */
export interface Removed {
  readonly type: 'function' | 'package' | 'trigger';
  readonly name: string;
}

/** What became of each; `kept` are packages of a project that hold functions of others. */
export interface UndeployOutcome {
  readonly namespace: string;
  readonly removed: readonly Removed[];
  readonly kept: readonly string[];
  readonly failed: readonly Failed[];
}

/** What has been done so far. */
interface Undeployment {
  readonly namespace: string;
  readonly api: FunctionsApi;
  /** Null where triggers cannot be reached without a token. */
  readonly triggers: TriggersApi | null;
  /** Those that were there at the beginning; none where they could not be asked for. */
  readonly listed: readonly DeployedTrigger[];
  readonly removed: Removed[];
  readonly kept: string[];
  readonly failed: Failed[];
  readonly onProgress: (line: string) => void;
}

/**
 * Takes functions, packages and triggers off a host by name, as the documented command line does: a function's triggers go first, and where
 * one cannot go the function stays. A name that is not there is a failure. Throws a DeployError where the host does not answer.
 */
export async function undeploy(what: ToUndeploy, target: Target, options: UndeployOptions = {}): Promise<UndeployOutcome> {
  const work = await begin(target, options);
  for (const name of what.triggers ?? []) await attempt(work, 'trigger', name, () => removeTrigger(name, work));
  for (const name of what.functions ?? []) await attempt(work, 'function', name, () => removeFunction(bare(name), work));
  for (const name of what.packages ?? []) await removeWholePackage(name, work);
  return outcomeOf(work);
}

/** Takes everything off a namespace but its activations. */
export async function undeployAll(target: Target, options: UndeployOptions = {}): Promise<UndeployOutcome> {
  const work = await begin(target, options);
  for (const { name } of work.listed) await attempt(work, 'trigger', name, () => removeTrigger(name, work));
  for (const name of await work.api.actions()) await attempt(work, 'function', name, () => removeFunction(name, work));
  for (const name of await work.api.packages()) await attempt(work, 'package', name, () => removePackage(name, work));
  return outcomeOf(work);
}

/**
 * Takes off what a project deploys: its functions with their triggers, then its packages where nothing else is left in them. What is not
 * there is passed over.
 */
export async function undeployProject(project: Project, target: Target, options: UndeployOptions = {}): Promise<UndeployOutcome> {
  const work = await begin(target, options);
  const functions = project.packages.flatMap((pack) => pack.functions.map((entry) => entry.fullName));
  for (const name of functions) {
    if ((await work.api.action(name)) !== null) await attempt(work, 'function', name, () => removeFunction(name, work));
  }
  for (const { name } of project.packages.filter((pack) => pack.name !== 'default')) {
    if ((await work.api.package(name)) === null) continue;
    if ((await work.api.actions(name)).length === 0) await attempt(work, 'package', name, () => removePackage(name, work));
    else {
      work.kept.push(name);
      work.onProgress(`kept package ${name}: it holds functions that are not of this project`);
    }
  }
  return outcomeOf(work);
}

async function begin(target: Target, options: UndeployOptions): Promise<Undeployment> {
  const api = functionsApi(target);
  const [namespace = ''] = await api.namespaces();
  const triggers = triggersApi(namespace, { ...target, ...options });
  // Functions go also where triggers cannot be listed, as with the documented command line.
  const answer = triggers === null ? [] : await failable('triggers', () => triggers.list());
  const listed = 'failed' in answer ? [] : answer;
  return { namespace, api, triggers, listed, removed: [], kept: [], failed: [], onProgress: options.onProgress ?? (() => undefined) };
}

function outcomeOf({ namespace, removed, kept, failed }: Undeployment): UndeployOutcome {
  return { namespace, removed, kept, failed };
}

async function attempt(work: Undeployment, type: Removed['type'], name: string, step: () => Promise<void>): Promise<void> {
  const result = await failable(type === 'trigger' ? `trigger ${name}` : name, step);
  if (result === undefined) {
    work.removed.push({ type, name });
    work.onProgress(`removed ${type} ${name}`);
  } else {
    work.failed.push(result.failed);
    work.onProgress(`failed ${result.failed.name}: ${result.failed.error}`);
  }
}

async function removeTrigger(name: string, { triggers, listed, namespace }: Undeployment): Promise<void> {
  if (triggers === null) {
    throw new DeployError('unauthenticated', 'the platform wants a token of the account for triggers: set DIGITALOCEAN_ACCESS_TOKEN');
  }
  if (await triggers.remove(name)) return;
  const known = listed.map((trigger) => trigger.name);
  throw missing('trigger', name, namespace, known);
}

async function removeFunction(name: string, work: Undeployment): Promise<void> {
  const isGone = (trigger: string): boolean => work.removed.some((removed) => removed.type === 'trigger' && removed.name === trigger);
  for (const trigger of work.listed.filter((listed) => listed.function === name && !isGone(listed.name))) {
    if ((await work.triggers?.remove(trigger.name)) !== true) continue;
    work.removed.push({ type: 'trigger', name: trigger.name });
    work.onProgress(`removed trigger ${trigger.name}`);
  }
  if (await work.api.deleteAction(name)) return;
  throw missing('function', name, work.namespace, await work.api.actions());
}

async function removeWholePackage(name: string, work: Undeployment): Promise<void> {
  const before = work.failed.length;
  for (const entry of await work.api.actions(name)) await attempt(work, 'function', entry, () => removeFunction(entry, work));
  if (work.failed.length === before && name !== 'default') await attempt(work, 'package', name, () => removePackage(name, work));
}

async function removePackage(name: string, { api, namespace }: Undeployment): Promise<void> {
  if (!(await api.deletePackage(name))) throw missing('package', name, namespace, await api.packages());
}

function missing(type: Removed['type'], name: string, namespace: string, known: readonly string[]): DeployError {
  return new DeployError('rejected', `there is no ${type} ${name} in namespace ${namespace}${didYouMean(name, known)}`);
}

/** The default package may be written out. */
function bare(name: string): string {
  return name.replace(/^\/_\//, '').replace(/^default\//, '');
}
