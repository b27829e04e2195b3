import type { ChoiceSetting, IntegerSetting, Setting, Settings, TextSetting } from '../../../catalogue/database-config/setting.ts';
import { unprocessable } from '../../../errors.ts';
import { isObject, type JsonObject } from '../../../fields.ts';

/** What has been set, by name. An integer of 64 bits is kept as its digits. */
export type Chosen = Readonly<Record<string, unknown>>;

/**
 * What is chosen once the changes of a request are merged over what was. Errors: 422 for a setting the table lacks, a wrong type, a
 * value out of bounds. `place` goes before the names in the messages.
 */
export function choose(table: Settings, before: Chosen, changes: JsonObject, place: string): Chosen {
  const after: Record<string, unknown> = { ...before };
  for (const [name, value] of Object.entries(changes)) {
    const setting = Object.hasOwn(table, name) ? table[name] : undefined;
    if (setting === undefined) {
      throw unprocessable(`${place}${name} is not a setting of this engine.`);
    }
    if (value === null && setting.kind === 'text' && setting.nullable) {
      delete after[name];
    } else {
      after[name] = read(setting, value, before[name], `${place}${name}`);
    }
  }
  return after;
}

/** All settings as a JSON object: what is chosen over what is so by default, 64-bit integers with all their digits. */
export function settingsText(table: Settings, chosen: Chosen): string {
  const members = Object.entries(table).flatMap(([name, setting]) => {
    const value = valueText(setting, chosen[name]);
    return value === undefined ? [] : [`${JSON.stringify(name)}:${value}`];
  });
  return `{${members.join(',')}}`;
}

/** One setting that is a text, as chosen or by default. */
export function textSetting(table: Settings, chosen: Chosen, name: string): string {
  const setting = table[name];
  return String(chosen[name] ?? (setting?.kind === 'text' ? setting.absent : undefined) ?? '');
}

function valueText(setting: Setting, chosen: unknown): string | undefined {
  if (setting.kind === 'group') {
    return settingsText(setting.settings, isObject(chosen) ? chosen : {});
  }
  const value = chosen ?? setting.absent;
  if (value === undefined) {
    return undefined;
  }
  return setting.kind === 'long' ? String(value) : JSON.stringify(value);
}

function read(setting: Setting, value: unknown, before: unknown, name: string): unknown {
  switch (setting.kind) {
    case 'integer':
      return readInteger(setting, value, before, name);
    case 'long':
      return readLong(setting, value, name);
    case 'number':
      if (typeof value !== 'number' || value < setting.min || value > setting.max) {
        throw unprocessable(`${name} must be a number from ${setting.min} to ${setting.max}.`);
      }
      return value;
    case 'flag':
      if (typeof value !== 'boolean') {
        throw unprocessable(`${name} must be true or false.`);
      }
      return value;
    case 'choice':
      return readChoice(setting, value, name);
    case 'text':
      return readText(setting, value, name);
    case 'texts':
      if (!Array.isArray(value) || value.length > setting.maxItems) {
        throw unprocessable(`${name} must be an array of at most ${setting.maxItems} strings.`);
      }
      return value.map((item) => (setting.of.kind === 'choice' ? readChoice(setting.of, item, name) : readText(setting.of, item, name)));
    case 'group':
      if (!isObject(value)) {
        throw unprocessable(`${name} must be an object.`);
      }
      return choose(setting.settings, isObject(before) ? before : {}, value, `${name}.`);
  }
}

function readInteger(
  { min, max, absent, multipleOf = 1, onlyGrows, also }: IntegerSetting,
  value: unknown,
  before: unknown,
  name: string,
): number {
  if (typeof value !== 'number' || !Number.isSafeInteger(value) || ((value < min || value > max) && value !== also)) {
    throw unprocessable(`${name} must be an integer from ${min} to ${max}${also === undefined ? '' : `, or ${also}`}.`);
  }
  if (value % multipleOf !== 0) {
    throw unprocessable(`${name} must be a multiple of ${multipleOf}.`);
  }
  const current = before ?? absent;
  if (onlyGrows && typeof current === 'number' && value < current) {
    throw unprocessable(`${name} can not be lowered from ${current}.`);
  }
  return value;
}

/** A client whose numbers have 53 bits writes the largest value as the nearest one it has, a little beyond it. */
function readLong({ min, max }: Extract<Setting, { readonly kind: 'long' }>, value: unknown, name: string): string {
  const isInteger = typeof value === 'bigint' || (typeof value === 'number' && Number.isSafeInteger(value));
  const given = isInteger ? BigInt(value) : undefined;
  if (given !== undefined && given > max && Number(given) === Number(max)) {
    return String(max);
  }
  if (given === undefined || given < min || given > max) {
    throw unprocessable(`${name} must be an integer from ${min} to ${max}.`);
  }
  return String(given);
}

function readChoice({ of, spellings = {} }: ChoiceSetting, value: unknown, name: string): string {
  const text = typeof value === 'string' ? value : '';
  const chosen = Object.hasOwn(spellings, text) ? spellings[text] : of.find((each) => each === value);
  if (chosen === undefined) {
    throw unprocessable(`${name} must be one of ${of.map((each) => JSON.stringify(each)).join(', ')}.`);
  }
  return chosen;
}

function readText({ minLength = 0, maxLength = Number.POSITIVE_INFINITY, pattern }: TextSetting, value: unknown, name: string): string {
  if (typeof value !== 'string') {
    throw unprocessable(`${name} must be a string.`);
  }
  if (value.length < minLength || value.length > maxLength) {
    throw unprocessable(`${name} must have ${minLength} to ${maxLength} characters.`);
  }
  if (pattern !== undefined && !pattern.test(value)) {
    throw unprocessable(`${name} has a value that is not allowed: ${JSON.stringify(value)}.`);
  }
  return value;
}
