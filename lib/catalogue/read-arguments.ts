import { type Problem, ToolError } from '../errors.ts';
import { nearest } from './nearest.ts';
import type { ArraySchema, EitherSchema, NumberSchema, ObjectSchema, Schema, StringSchema } from './schema.ts';
import type { Arguments } from './tool.ts';

export interface ReadingOptions {
  /** The values came as text (query, form): `true` and `a,b` stand for a boolean and a list. */
  readonly text?: boolean;
  /** The arguments that stand in the path; they may not be empty or climb it. */
  readonly path?: readonly string[];
}

/**
 * Reads a call's arguments once, into the names and types that were declared, with defaults applied.
 *
 * Names and enum values match without regard to case. A canonical integer in a string is taken for a number; fractions and
 * unsafe integers never. `null` for an optional argument is an omitted one. Unknown names are refused with the nearest.
 *
 * @throws ToolError `invalid_arguments` with every problem at once; the message begins with the tool's name.
 */
export function readArguments(tool: string, schema: ObjectSchema, given: unknown, options: ReadingOptions = {}): Arguments {
  const problems: Problem[] = [];
  const read = readObject(schema, given ?? {}, '', { problems, text: options.text ?? false });
  for (const name of options.path ?? []) checkPathValue(name, read[name], problems);
  if (problems.length === 0) return read;
  const message = problems.map(({ field, expected, got, nearest }) => {
    const found = got === undefined ? '' : `, got ${got}`;
    return `${field || 'arguments'}: expected ${expected}${found}${nearest ? ` (did you mean ${nearest}?)` : ''}`;
  });
  throw new ToolError('invalid_arguments', `${tool}: ${message.join('; ')}`, { problems });
}

interface Reading {
  readonly problems: Problem[];
  readonly text: boolean;
}

type Fields = Readonly<Record<string, unknown>>;

function readObject(schema: ObjectSchema, given: unknown, field: string, reading: Reading): Fields {
  const value = reading.text && typeof given === 'string' ? parsedOr(given) : given;
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    refuse(reading, { field, got: show(given), expected: 'an object' });
    return {};
  }
  const properties = schema.properties ?? {};
  const matched = matchNames(Object.keys(properties), value, schema.additionalProperties !== false, field, reading);
  const entries: [string, unknown][] = [...matched.open];
  for (const [name, property] of Object.entries(properties)) {
    const path = field ? `${field}.${name}` : name;
    const present = matched.known.has(name) && matched.known.get(name) !== null;
    if (present) {
      entries.push([name, readValue(property, matched.known.get(name), path, reading)]);
      continue;
    }
    if (property.default !== undefined) entries.push([name, property.default]);
    else if (schema.required?.includes(name)) reading.problems.push({ field: path, expected: `${expectation(property)}; it is required` });
  }
  // fromEntries defines own properties, so that a name like __proto__ stays a plain name.
  return Object.fromEntries(entries);
}

/** Finds for each given name the declared one. What is declared twice, or unknown in a closed object, is a problem. */
function matchNames(names: readonly string[], value: object, open: boolean, field: string, reading: Reading) {
  const byLowerCase = new Map(names.map((name) => [name.toLowerCase(), name]));
  const known = new Map<string, unknown>();
  const rest: [string, unknown][] = [];
  for (const [given, content] of Object.entries(value)) {
    const name = names.includes(given) ? given : byLowerCase.get(given.toLowerCase());
    const path = field ? `${field}.${given}` : given;
    if (name === undefined && open) {
      rest.push([given, content]);
      continue;
    }
    if (name === undefined) {
      const near = nearest(given, names);
      const expected = names.length > 0 ? `one of ${names.join(', ')}` : 'no arguments';
      reading.problems.push({ field: path.slice(0, 120), got: show(content), expected, ...(near && { nearest: near }) });
      continue;
    }
    if (known.has(name) && JSON.stringify(known.get(name)) !== JSON.stringify(content)) {
      reading.problems.push({ field: path, got: show(content), expected: `one value for ${name}; it was given twice` });
      continue;
    }
    known.set(name, content);
  }
  return { known, open: rest };
}

function readValue(schema: Schema, given: unknown, field: string, reading: Reading): unknown {
  switch (schema.type) {
    case 'object':
      return readObject(schema, given, field, reading);
    case 'array':
      return readArray(schema, given, field, reading);
    case 'integer':
    case 'number':
      return readNumber(schema, given, field, reading);
    case 'boolean':
      return readBoolean(given, field, reading);
    case 'string':
      return readString(schema, given, field, reading);
    case undefined:
      return readEither(schema, given, field, reading);
  }
}

/** The first form that fits. */
function readEither(schema: EitherSchema, given: unknown, field: string, reading: Reading): unknown {
  for (const form of schema.anyOf) {
    const attempt: Reading = { problems: [], text: reading.text };
    const value = readValue(form, given, field, attempt);
    if (attempt.problems.length === 0) return value;
  }
  return refuse(reading, { field, got: show(given), expected: expectation(schema) });
}

function readArray(schema: ArraySchema, given: unknown, field: string, reading: Reading): unknown {
  const value = reading.text && typeof given === 'string' ? listFromText(given) : given;
  if (!Array.isArray(value)) return refuse(reading, { field, got: show(given), expected: expectation(schema) });
  if (value.length < (schema.minItems ?? 0) || value.length > (schema.maxItems ?? Number.POSITIVE_INFINITY)) {
    return refuse(reading, { field, got: `${value.length} items`, expected: expectation(schema) });
  }
  return value.map((item, index) => readValue(schema.items, item, `${field}[${index}]`, reading));
}

const canonicalInteger = /^(0|-?[1-9]\d*)$/;
const canonicalNumber = /^-?(0|[1-9]\d*)(\.\d+)?$/;

function readNumber(schema: NumberSchema, given: unknown, field: string, reading: Reading): unknown {
  const canonical = schema.type === 'integer' ? canonicalInteger : canonicalNumber;
  const value = typeof given === 'string' && canonical.test(given) ? Number(given) : given;
  const fits =
    typeof value === 'number' &&
    (schema.type === 'integer' ? Number.isSafeInteger(value) : Number.isFinite(value)) &&
    value >= (schema.minimum ?? Number.NEGATIVE_INFINITY) &&
    value <= (schema.maximum ?? Number.POSITIVE_INFINITY);
  return fits ? value : refuse(reading, { field, got: show(given), expected: expectation(schema) });
}

function readBoolean(given: unknown, field: string, reading: Reading): unknown {
  if (typeof given === 'boolean') return given;
  if (reading.text && (given === 'true' || given === 'false')) return given === 'true';
  return refuse(reading, { field, got: show(given), expected: 'true or false' });
}

function readString(schema: StringSchema, given: unknown, field: string, reading: Reading): unknown {
  if (typeof given !== 'string') return refuse(reading, { field, got: show(given), expected: expectation(schema) });
  if (!schema.enum) return given;
  const found = schema.enum.find((value) => value === given) ?? schema.enum.find((value) => value.toLowerCase() === given.toLowerCase());
  if (found !== undefined) return found;
  const near = nearest(given, schema.enum);
  return refuse(reading, { field, got: show(given), expected: expectation(schema), ...(near && { nearest: near }) });
}

/** A path value may hold anything but what could end its segment, before or after it is decoded once more. */
function checkPathValue(field: string, value: unknown, problems: Problem[]): void {
  if (typeof value !== 'string') return;
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is looked for
  if (value !== '' && value !== '.' && value !== '..' && !/[\u0000-\u001f\u007f/\\?#%]/.test(value)) return;
  problems.push({ field, got: show(value), expected: 'a value without / \\ ? # % and control characters, and not empty, "." or ".."' });
}

function expectation(schema: Schema): string {
  switch (schema.type) {
    case 'object':
      return 'an object';
    case 'boolean':
      return 'true or false';
    case 'string':
      return schema.enum ? `one of ${schema.enum.join(', ')}` : 'a string';
    case 'array':
      return `a list of ${plural(schema.items)}${bounds(schema.minItems, schema.maxItems, ' with', ' items')}`;
    case 'integer':
      return `an integer${bounds(schema.minimum, schema.maximum)}`;
    case 'number':
      return `a number${bounds(schema.minimum, schema.maximum)}`;
    case undefined:
      return schema.anyOf.map(expectation).join(' or ');
  }
}

function plural(schema: Schema): string {
  if (schema.type === 'string' && schema.enum) return `strings out of ${schema.enum.join(', ')}`;
  return `${schema.type ?? 'value'}s`;
}

function bounds(least: number | undefined, most: number | undefined, before = '', after = ''): string {
  if (least === undefined && most === undefined) return '';
  if (most === undefined) return `${before} from ${least}${after}`;
  return `${before} ${least === undefined ? '' : `from ${least} `}to ${most}${after}`;
}

/** Notes a problem; the value is then nothing, since no call is made with it. */
function refuse(reading: Reading, problem: Problem): undefined {
  reading.problems.push(problem);
  return undefined;
}

function show(value: unknown): string {
  const text = JSON.stringify(value) ?? String(value);
  return text.length > 80 ? `${text.slice(0, 77)}...` : text;
}

function listFromText(text: string): unknown {
  const parsed = parsedOr(text);
  if (Array.isArray(parsed)) return parsed;
  return text === '' ? [] : text.split(',').map((item) => item.trim());
}

function parsedOr(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
