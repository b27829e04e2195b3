import { HostError } from '../host-error.ts';
import { isEntityName } from '../rest/entity.ts';
import type { Content } from '../rest/read-content.ts';
import { cronProblem } from './schedule.ts';
import type { TriggerRecord } from './triggers.ts';

/** What a request to make a trigger says. */
export type NewTrigger = Pick<TriggerRecord, 'name' | 'function' | 'isEnabled' | 'cron' | 'body'>;
/** What a request to change one says. */
export type TriggerChange = Partial<Pick<TriggerRecord, 'isEnabled' | 'cron' | 'body'>>;

/** Reads the body of a request that makes a trigger. HostError `bad_request` with everything that is wrong. */
export function readNewTrigger(content: Content): NewTrigger {
  const { name, function: target, type, is_enabled: isEnabled, scheduled_details: details } = content;
  const problems = [
    ...nameProblems(name, 'trigger name'),
    ...(typeof target === 'string' && target !== '' ? [] : [missing(target, 'function name')]),
    ...typeProblems(type),
    ...(typeof isEnabled === 'boolean' ? [] : [`is_enabled: expected true or false, got ${shown(isEnabled)}`]),
    ...(details === undefined ? ['missing source details'] : detailProblems(details)),
  ];
  if (problems.length > 0) throw new HostError('bad_request', `validating create trigger: validation error: ${problems.join(', ')}`);
  // Each of them was just found to be right.
  const { cron, body = null } = details as { readonly cron: string; readonly body?: NewTrigger['body'] };
  return { name: name as string, function: bareDefault(target as string), isEnabled: isEnabled as boolean, cron, body };
}

/** Reads the body of a request that changes a trigger; what it leaves out stays. HostError `bad_request`. */
export function readTriggerChange(content: Content): TriggerChange {
  const { is_enabled: isEnabled, scheduled_details: details } = content;
  const problems = [
    ...(isEnabled === undefined || typeof isEnabled === 'boolean' ? [] : [`is_enabled: expected true or false, got ${shown(isEnabled)}`]),
    ...(details === undefined ? [] : detailProblems(details)),
  ];
  if (problems.length > 0) throw new HostError('bad_request', `validating update trigger: validation error: ${problems.join(', ')}`);
  // Both were just found to be right.
  const change = { ...(isEnabled !== undefined && { isEnabled: isEnabled as boolean }) };
  if (details === undefined) return change;
  const { cron, body = null } = details as { readonly cron: string; readonly body?: NewTrigger['body'] };
  return { ...change, cron, body };
}

function nameProblems(name: unknown, what: string): readonly string[] {
  if (typeof name !== 'string' || name === '') return [missing(name, what)];
  return isEntityName(name) ? [] : [`${what} ${shown(name)}: expected letters, digits, _ @ . - and spaces inside, 256 at most`];
}

function typeProblems(type: unknown): readonly string[] {
  if (typeof type === 'string' && type.toUpperCase() === 'SCHEDULED') return [];
  return [`type: expected SCHEDULED, got ${shown(type)}`];
}

function detailProblems(details: unknown): readonly string[] {
  if (!isObject(details)) return [`scheduled_details: expected {cron, body}, got ${shown(details)}`];
  const { cron, body } = details;
  const wrongCron = typeof cron === 'string' && cron !== '' ? cronProblem(cron) : missing(cron, 'cron');
  const isBody = body === undefined || body === null || isObject(body);
  return [...(wrongCron === undefined ? [] : [wrongCron]), ...(isBody ? [] : [`body: expected an object, got ${shown(body)}`])];
}

/** Clients name the default package or leave it out. */
function bareDefault(name: string): string {
  return name.replace(/^default\//, '');
}

function missing(value: unknown, what: string): string {
  return value === undefined || value === '' ? `missing ${what}` : `${what}: expected a text, got ${shown(value)}`;
}

function shown(value: unknown): string {
  return JSON.stringify(value)?.slice(0, 80) ?? 'nothing';
}

function isObject(value: unknown): value is Content {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
