import { existsSync, readFileSync } from 'node:fs';
import { Ajv, type ValidateFunction } from 'ajv';
import addFormats from 'ajv-formats';

type Value = ReturnType<typeof JSON.parse>;

const reference = new URL('../../../shared/reference/', import.meta.url);
const documentFile = new URL('platform-openapi.json', reference);
const keysFile = new URL('expected-keys.json', reference);

/** Whether the platform's OpenAPI document and key lists are at hand; tests that need them skip where they are not. */
export const openapiPresent = existsSync(documentFile) && existsSync(keysFile);

/** Every operation of the document, as `GET /v2/droplets/{droplet_id}`. */
export function operations(): readonly string[] {
  return Object.keys(referee().operations);
}

/** The operation a request belongs to, as `GET /v2/droplets/{droplet_id}`; undefined when the document has none. */
export function operationOf(method: string, path: string): string | undefined {
  const segments = path.split('/');
  const candidates = Object.keys(referee().operations).filter((name) => fits(name, method, segments));
  // A literal segment goes before a placeholder: /v2/droplets/actions is no droplet.
  return candidates.sort((one, other) => one.split('{').length - other.split('{').length)[0];
}

/**
 * What is wrong with a request by the document: unknown operation, body or query fields that its schemas refuse.
 * `path` without query; `query` as texts. An empty list means that it is right.
 */
export function validateRequest(
  method: string,
  path: string,
  body?: unknown,
  query: Readonly<Record<string, string>> = {},
): readonly string[] {
  const name = operationOf(method, path);
  if (name === undefined) {
    return [`${method} ${path}: not in the document`];
  }
  const operation = referee().operations[name];
  const parameters: readonly Value[] = operation.parameters ?? [];
  const problems = parameters.flatMap((parameter) => parameterProblems(name, parameter, path, query));
  const known = new Set(parameters.filter((parameter) => parameter.in === 'query').map((parameter) => parameter.name));
  problems.push(...Object.keys(query).flatMap((field) => (known.has(field) ? [] : [`${name}: query ${field}: not in the document`])));
  const pointer = `${operation.pointer}/requestBody/content/application~1json/schema`;
  if (operation.requestBody?.content?.['application/json'] === undefined) {
    return body === undefined ? problems : [...problems, `${name}: the document knows no body`];
  }
  if (body === undefined && operation.requestBody.required !== true) {
    return problems;
  }
  return [...problems, ...problemsOf(name, compiled(pointer), body)];
}

/**
 * What is wrong with a reply by the document and the key lists: unknown status, a body its schema refuses, keys that a success
 * has to carry and does not. `path` without query. An empty list means that it is right.
 */
export function validateReply(method: string, path: string, status: number, body?: unknown): readonly string[] {
  const name = operationOf(method, path);
  if (name === undefined) {
    return [`${method} ${path}: not in the document`];
  }
  const operation = referee().operations[name];
  const key = operation.responses[status] === undefined ? 'default' : String(status);
  const response = operation.responses[key];
  if (key === 'default' && status < 400) {
    return [`${name}: status ${status} is not in the document`];
  }
  const pointer = response.$ref === undefined ? `${operation.pointer}/responses/${key}` : String(response.$ref);
  const content = (response.$ref === undefined ? response : referee().resolve(response.$ref)).content?.['application/json'];
  if (content === undefined) {
    return body === undefined ? [] : [`${name}: ${status} has no body in the document`];
  }
  const problems = problemsOf(`${name} ${status}`, compiled(`${pointer}/content/application~1json/schema`), body);
  return status < 400 ? [...problems, ...missingKeys(name, status, body)] : problems;
}

/** Keys that no reply can be held to: the document's example of one tag is wrapped twice, its schema and its clients' are not. */
const WRONG_KEYS = new Set(['GET /v2/tags/{tag_id}']);
/** Lists whose items differ: each key has to be in one of them. */
const MIXED_ITEMS = new Set(['GET /v2/customers/my/billing_history']);
/**
 * Keys that a record is without where there is nothing to say: it was never down, has nothing to compare, no standby node, is no
 * MySQL. null would fail the schema.
 */
const OPTIONAL_KEYS = new Set([
  'state.previous_outage',
  'alert.threshold',
  'alert.comparison',
  'alerts[].threshold',
  'alerts[].comparison',
  'database.standby_connection',
  'database.standby_private_connection',
  'config.sql_mode',
  'config.sql_require_primary_key',
]);

function missingKeys(name: string, status: number, body: Value): readonly string[] {
  const expected = referee().keys[name];
  if (expected === undefined || expected.status !== status || WRONG_KEYS.has(name)) {
    return [];
  }
  // A reply to several names at once has its own envelope, with the same records in it.
  const top: readonly string[] = (expected.topLevel ?? []).filter((key: string) => !(key in body) && !(`${key}s` in body));
  const nested = Object.entries<readonly string[]>(expected.keys ?? {}).flatMap(([place, keys]) => {
    const found = place.endsWith('[]') ? body[place.slice(0, -2)] : [body[place]];
    const records: readonly Value[] = (found ?? []).filter((record: Value) => typeof record === 'object' && record !== null);
    const lacks = (key: string): boolean =>
      MIXED_ITEMS.has(name) ? !records.some((record) => key in record) : records.some((record) => !(key in record));
    const missing = records.length === 0 ? [] : keys.filter(lacks).map((key) => `${place}.${key}`);
    return missing.filter((key) => !OPTIONAL_KEYS.has(key));
  });
  return [...top, ...nested].map((key) => `${name}: ${key} is missing`);
}

interface Referee {
  readonly operations: Readonly<Record<string, Value>>;
  readonly keys: Readonly<Record<string, Value>>;
  readonly resolve: (pointer: string) => Value;
  readonly ajv: Ajv;
}

let loaded: Referee | undefined;

function referee(): Referee {
  loaded ??= load();
  return loaded;
}

function load(): Referee {
  const document: Value = JSON.parse(readFileSync(documentFile, 'utf8'));
  const ajv = new Ajv({ strict: false, allErrors: true, coerceTypes: false, logger: false });
  // The package's types describe its CommonJS default; under ESM the function is the default itself.
  (addFormats as unknown as (ajv: Ajv) => void)(ajv);
  ajv.addSchema(document, 'platform');
  const operations: Record<string, Value> = {};
  for (const [path, methods] of Object.entries<Value>(document.paths)) {
    for (const [method, operation] of Object.entries<Value>(methods)) {
      if (operation.responses !== undefined) {
        const pointer = `#/paths/${path.replaceAll('~', '~0').replaceAll('/', '~1')}/${method}`;
        operations[`${method.toUpperCase()} ${path}`] = { ...operation, pointer };
      }
    }
  }
  const resolve = (pointer: string): Value =>
    pointer
      .slice(2)
      .split('/')
      .reduce((value: Value, segment) => value[segment.replaceAll('~1', '/').replaceAll('~0', '~')], document);
  return { operations, keys: JSON.parse(readFileSync(keysFile, 'utf8')), resolve, ajv };
}

const validators = new Map<string, ValidateFunction>();

function compiled(pointer: string): ValidateFunction {
  const known = validators.get(pointer);
  if (known !== undefined) {
    return known;
  }
  const encoded = pointer
    .split('/')
    .map((segment) => (segment === '#' ? segment : encodeURIComponent(segment)))
    .join('/');
  const validate = referee().ajv.compile({ $ref: `platform${encoded}` });
  validators.set(pointer, validate);
  return validate;
}

function problemsOf(where: string, validate: ValidateFunction, value: unknown): string[] {
  return validate(value) ? [] : (validate.errors ?? []).map((error) => `${where}: ${error.instancePath || '/'} ${error.message ?? ''}`);
}

function fits(name: string, method: string, segments: readonly string[]): boolean {
  const [operationMethod, template = ''] = name.split(' ');
  const parts = template.split('/');
  return (
    operationMethod === method &&
    parts.length === segments.length &&
    parts.every((part, index) => part === segments[index] || (part.startsWith('{') && segments[index] !== ''))
  );
}

function parameterProblems(name: string, parameter: Value, path: string, query: Readonly<Record<string, string>>): string[] {
  const [, template = ''] = name.split(' ');
  const at = template.split('/').indexOf(`{${parameter.name}}`);
  const given = parameter.in === 'path' ? decodeURIComponent(path.split('/')[at] ?? '') : query[parameter.name];
  if (given === undefined || parameter.in === 'header') {
    return parameter.required === true && parameter.in === 'query' ? [`${name}: query ${parameter.name} is required`] : [];
  }
  const validate = referee().ajv.compile(inlined(parameter.schema));
  const forms: readonly unknown[] = [
    given,
    ...(/^-?\d+(\.\d+)?$/.test(given) ? [Number(given)] : []),
    ...(given === 'true' || given === 'false' ? [given === 'true'] : []),
  ];
  return forms.some((form) => validate(form)) ? [] : [`${name}: ${parameter.in} ${parameter.name}: ${JSON.stringify(given)} is refused`];
}

/** A parameter's schema stands outside the document it refers into: its references are made absolute. */
function inlined(schema: Value): Value {
  return JSON.parse(JSON.stringify(schema).replaceAll('"$ref":"#/', '"$ref":"platform#/'));
}
