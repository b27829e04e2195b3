import type { ObjectSchema } from './schema.ts';
import { hintsOf, pathArguments, type Tool } from './tool.ts';

type JsonSchema = Readonly<Record<string, unknown>>;

/**
 * What a tool's result looks like, as JSON Schema, out of its declaration: what a list says beside its items and of each, what a call without a record
 * is answered. The members of a record are the platform's, and open.
 *
 * Nothing is required: a failure is an answer too, and older kits hold it to the same schema.
 */
export function outputSchema(tool: Tool, input: ObjectSchema): JsonSchema {
  const write = !hintsOf(tool).readOnly;
  const always = { error, next: nextCalls, truncated: { type: 'object' } };
  const properties = { ...ownMembers(tool, input), ...(write && dryRun), ...always };
  return { type: 'object', properties };
}

function ownMembers(tool: Tool, input: ObjectSchema): JsonSchema {
  const { summary, returns } = tool;
  if (summary) return { items: { type: 'array', items: itemSchema(summary) }, ...paging };
  const missing = hintsOf(tool).readOnly ? { missingFields: texts } : {};
  if (returns !== undefined) return missing;
  if (hintsOf(tool).readOnly) return missing;
  const named = pathArguments(tool).flatMap((name) => {
    const property = input.properties?.[name];
    return property?.type ? [[name, { type: property.type }] as const] : [];
  });
  return { done: { type: 'boolean' }, ...Object.fromEntries(named) };
}

const texts = { type: 'array', items: { type: 'string' } };
const orNull = { anyOf: [{ type: 'integer' }, { type: 'null' }] };
const paging = { page: { type: 'integer' }, perPage: { type: 'integer' }, total: orNull, nextPage: orNull, missingFields: texts };
const dryRun = { dryRun: { type: 'boolean' }, request: {} };
const nextCalls = {
  type: 'array',
  items: { type: 'object', properties: { tool: { type: 'string' }, arguments: { type: 'object' } }, required: ['tool', 'arguments'] },
};
const error = {
  type: 'object',
  properties: { code: { type: 'string' }, message: { type: 'string' }, retryable: { type: 'boolean' } },
  required: ['code', 'message', 'retryable'],
};

/** An item by the paths of its summary; with `Fields` it has others. */
function itemSchema(paths: readonly string[]): JsonSchema {
  const heads = [...new Set(paths.map((path) => path.split('.')[0] ?? ''))];
  return { type: 'object', properties: Object.fromEntries(heads.map((head) => [head, {}])) };
}
