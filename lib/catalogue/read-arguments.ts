import { type Problem, ToolError } from '../errors.ts';
import { matchNames } from './reading/match-names.ts';
import { mostTold, type Reading, type ReadingRules, refuse } from './reading/reading.ts';
import { parsedOr, textFormWords, textIn } from './reading/text-form.ts';
import { expectation, shown, stepsOf } from './reading/words.ts';
import type { ArraySchema, EitherSchema, NumberSchema, ObjectSchema, Schema, StringSchema } from './schema.ts';
import type { Arguments } from './tool.ts';

export interface ReadingOptions {
  /** The values came as text (query, form): `true` and `a,b` stand for a boolean and a list. */
  readonly text?: boolean;
  /** The arguments that stand in the path; they may not be empty or climb it. */
  readonly path?: readonly string[];
  /** What the tool says beside its schema. */
  readonly rules?: ReadingRules;
}

/**
 * Reads a call's arguments once, into the names and types that were declared, with defaults applied.
 *
 * Names and enum values match without regard to case. A canonical integer in a string is taken for a number; fractions and
 * unsafe integers never. `null` for an optional argument is an omitted one, except in open objects. Unknown names are refused with the nearest.
 *
 * @throws ToolError `invalid_arguments` with every problem at once; the message begins with the tool's name.
 */
export function readArguments(tool: string, schema: ObjectSchema, given: unknown, options: ReadingOptions = {}): Arguments {
  const { rules = {}, text = false, path = [] } = options;
  const problems: Problem[] = [];
  const read = readObject(schema, given ?? {}, '', { problems, text, rules, snakeCase: false });
  for (const name of path) checkPathValue(name, read[name], problems);
  problems.push(...problemsBeyondTypes(rules, read, problems));
  if (problems.length === 0) return read;
  const told = problems.slice(0, mostTold);
  const message = told.map(({ field, expected, got, nearest }) => {
    const found = got === undefined ? '' : `, got ${got}`;
    return `${field || 'arguments'}: expected ${expected}${found}${nearest ? ` (did you mean ${nearest}?)` : ''}`;
  });
  const others = problems.length > mostTold ? `; and ${problems.length - mostTold} more` : '';
  throw new ToolError('invalid_arguments', `${tool}: ${message.join('; ')}${others}`, { problems: told });
}

/** What the tool's own check finds in the arguments that were read well; what it says of the others is known already. */
function problemsBeyondTypes(rules: ReadingRules, read: Arguments, problems: readonly Problem[]): readonly Problem[] {
  const failed = new Set(problems.map(({ field }) => stepsOf(field)[0] ?? ''));
  const sound = Object.fromEntries(Object.entries(read).filter(([name]) => !failed.has(name)));
  const concerned = ({ field }: Problem) => field.split(', ').map((one) => stepsOf(one)[0] ?? '');
  return (rules.check?.(sound) ?? []).filter((problem) => !concerned(problem).some((name) => failed.has(name)));
}

function readObject(schema: ObjectSchema, given: unknown, field: string, reading: Reading): Arguments {
  const value = reading.text && typeof given === 'string' ? parsedOr(given) : given;
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    refuse(reading, field, given, 'an object');
    return {};
  }
  const properties = schema.properties ?? {};
  const open = schema.additionalProperties !== false;
  const aliases = field === '' ? reading.rules.aliases : undefined;
  const matched = matchNames({ known: Object.keys(properties), open, ...(aliases && { aliases }) }, value, field, reading);
  const entries: (readonly [string, unknown])[] = [...matched.others];
  for (const [name, property] of Object.entries(properties)) {
    const path = field ? `${field}.${name}` : name;
    const content = matched.known.get(name);
    if (content === null && open) {
      entries.push([name, null]);
      continue;
    }
    if (content !== null && matched.known.has(name)) {
      const snakeCase = reading.snakeCase || (field === '' && reading.rules.snakeCaseIn?.includes(name) === true);
      entries.push([name, readValue(property, content, path, { ...reading, snakeCase })]);
      continue;
    }
    if (property.default !== undefined) entries.push([name, property.default]);
    else if (schema.required?.includes(name)) reading.problems.push({ field: path, expected: `${expectation(property)}; it is required` });
  }
  // fromEntries defines own properties, so that a name like __proto__ stays a plain name.
  return Object.fromEntries(entries);
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
    const attempt: Reading = { ...reading, problems: [] };
    const value = readValue(form, given, field, attempt);
    if (attempt.problems.length === 0) return value;
  }
  return refuse(reading, field, given, expectation(schema));
}

function readArray(schema: ArraySchema, given: unknown, field: string, reading: Reading): unknown {
  const value = reading.text && typeof given === 'string' ? listFromText(given) : given;
  if (!Array.isArray(value)) return refuse(reading, field, given, expectation(schema));
  if (value.length < (schema.minItems ?? 0) || value.length > (schema.maxItems ?? Number.POSITIVE_INFINITY)) {
    reading.problems.push({ field, got: `${value.length} items`, expected: expectation(schema) });
    return undefined;
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
  return fits ? value : refuse(reading, field, given, expectation(schema));
}

function readBoolean(given: unknown, field: string, reading: Reading): unknown {
  if (typeof given === 'boolean') return given;
  if (reading.text && (given === 'true' || given === 'false')) return given === 'true';
  return refuse(reading, field, given, 'true or false');
}

function readString(schema: StringSchema, given: unknown, field: string, reading: Reading): unknown {
  const form = reading.rules.texts?.[stepsOf(field).join('.')];
  if (form) return textIn(form, given) ?? refuse(reading, field, given, textFormWords[form]);
  if (typeof given !== 'string') return refuse(reading, field, given, expectation(schema));
  if (!schema.enum) return given;
  const found = schema.enum.find((value) => value === given) ?? schema.enum.find((value) => value.toLowerCase() === given.toLowerCase());
  return found ?? refuse(reading, field, given, expectation(schema), { word: given, candidates: schema.enum });
}

/** A path value may hold anything but what could end its segment, before or after it is decoded once more. */
function checkPathValue(field: string, value: unknown, problems: Problem[]): void {
  if (typeof value !== 'string') return;
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is looked for
  if (value !== '' && value !== '.' && value !== '..' && !/[\u0000-\u001f\u007f/\\?#%]/.test(value) && value.isWellFormed()) return;
  problems.push({ field, got: shown(value), expected: 'a value without / \\ ? # % and control characters, and not empty, "." or ".."' });
}

function listFromText(text: string): unknown {
  const parsed = parsedOr(text);
  if (Array.isArray(parsed)) return parsed;
  return text === '' ? [] : text.split(',').map((item) => item.trim());
}
