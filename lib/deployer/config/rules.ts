import { didYouMean } from '../nearest-name.ts';
import type { Environment, JsonObject } from '../project.ts';
import { type Located, type LocatedEntry, plainValue } from './located.ts';
import type { Report } from './substitute.ts';

/** Reads one value of project.yml; `where` names it in messages. Reports what is wrong and answers undefined then. */
export type Rule<T> = (node: Located, where: string, report: Report) => T | undefined;

/** A rule for each key that a level of project.yml takes. */
export type Rules<S> = { readonly [K in keyof S]-?: Rule<NonNullable<S[K]>> };

/**
 * Reads a map by the rules of its keys. An unknown key is reported with the nearest known one; an empty value (null or '') counts
 * as absent, as the platform's templates leave it.
 */
export function readKeys<S extends object>(node: Located, rules: Rules<S>, where: string, report: Report): S | undefined {
  if (node.type !== 'map') {
    report(node.line, `${where}: expected keys and values, got ${describe(node)}`);
    return undefined;
  }
  const values: Record<string, unknown> = {};
  const known = Object.keys(rules);
  for (const { key, line, value } of node.entries) {
    // The rules are looked up by a key of unknown spelling: what comes back may be missing.
    const rule = Object.hasOwn(rules, key) ? (rules as Record<string, Rule<unknown>>)[key] : undefined;
    if (rule === undefined) report(line, `${where}: unknown key "${key}"${didYouMean(key, known)} (allowed: ${known.join(', ')})`);
    else if (!isEmpty(value)) values[key] = rule(value, `${where}: ${key}`, report);
  }
  // Every value came from the rule that S gives for its key.
  return values as S;
}

/** A string. */
export const text: Rule<string> = (node, where, report) => {
  if (node.type === 'scalar' && typeof node.value === 'string') return node.value;
  return refuse(node, where, 'a string', report);
};

/** true or false. */
export const flag: Rule<boolean> = (node, where, report) => {
  if (node.type === 'scalar' && typeof node.value === 'boolean') return node.value;
  return refuse(node, where, 'true or false', report);
};

/** A whole number of some unit, from the least to the most. */
export function within(least: number, most: number, unit: string): Rule<number> {
  return (node, where, report) => {
    const value = node.type === 'scalar' ? node.value : null;
    if (typeof value === 'number' && Number.isInteger(value) && value >= least && value <= most) return value;
    return refuse(node, where, `a whole number of ${unit} from ${least} to ${most}`, report);
  };
}

/** Keys and values of any kind. */
export const record: Rule<JsonObject> = (node, where, report) => {
  if (node.type !== 'map') return refuse(node, where, 'keys and values', report);
  return Object.fromEntries(node.entries.map((entry) => [entry.key, plainValue(entry.value)]));
};

/** Names and string values. Values are never quoted in messages: they may be secrets. */
export const environment: Rule<Environment> = (node, where, report) => {
  if (node.type !== 'map') return refuse(node, where, 'names and string values', report);
  const variables: Record<string, string> = {};
  for (const entry of node.entries) {
    const value = environmentValue(entry, where, report);
    if (value !== undefined) variables[entry.key] = value;
  }
  return variables;
};

/** true, false or 'raw'. */
export const web: Rule<boolean | 'raw'> = (node, where, report) => {
  if (node.type === 'scalar' && (typeof node.value === 'boolean' || node.value === 'raw')) return node.value;
  return refuse(node, where, "true, false or 'raw'", report);
};

/** false, or the secret that callers must show. */
export const webSecure: Rule<string | false> = (node, where, report) => {
  if (node.type === 'scalar' && (typeof node.value === 'string' || node.value === false)) return node.value;
  return refuse(node, where, 'false or a secret as a string', report);
};

/** One or more strings. */
export const names: Rule<readonly string[]> = (node, where, report) => {
  if (node.type !== 'list' || node.items.length === 0) return refuse(node, where, 'a list of one or more function names', report);
  const read = node.items.map((item) => text(item, where, report));
  return read.filter((name) => name !== undefined);
};

/** Says what was expected and what was found, and answers undefined. */
export function refuse(node: Located, where: string, expected: string, report: Report): undefined {
  report(node.line, `${where}: expected ${expected}, got ${describe(node)}`);
  return undefined;
}

/** A value in a few words. */
export function describe(node: Located): string {
  if (node.type === 'list') return 'a list';
  if (node.type === 'map') return 'keys and values';
  if (node.value === null) return 'nothing';
  if (typeof node.value !== 'string') return `the ${typeof node.value} ${node.value}`;
  return node.value.length > 40 ? `the string "${node.value.slice(0, 40)}..."` : `the string "${node.value}"`;
}

function environmentValue(entry: LocatedEntry, where: string, report: Report): string | undefined {
  const { value } = entry;
  if (value.type === 'scalar' && typeof value.value === 'string') return value.value;
  const got = value.type === 'scalar' ? (value.value === null ? 'nothing' : `a ${typeof value.value}`) : describe(value);
  report(entry.line, `${where}: ${entry.key}: expected a string, got ${got}: put the value in quotes`);
  return undefined;
}

function isEmpty(node: Located): boolean {
  return node.type === 'scalar' && (node.value === null || node.value === '');
}
