import type { Annotation, Parameter } from '../functions/function-record.ts';
import { HostError } from '../host-error.ts';

/** A JSON object of a request, before it is known what is in it. */
export type Content = Readonly<Record<string, unknown>>;

/** Refuses a part of a request's content, naming it: HostError `bad_request`. */
export function malformed(field: string, expected: string, got: unknown): HostError {
  const shown = JSON.stringify(got)?.slice(0, 80) ?? 'nothing';
  return new HostError('bad_request', `The request content was malformed: ${field}: expected ${expected}, got ${shown}`);
}

export function readObject(content: Content, field: string): Content | undefined {
  const value = content[field];
  if (value === undefined) return undefined;
  if (isObject(value)) return value;
  throw malformed(field, 'an object', value);
}

export function readParameters(content: Content): readonly Parameter[] | undefined {
  return readList(content, 'parameters')?.map(({ key, value, init }) => (init === true ? { key, value, init } : { key, value }));
}

export function readAnnotations(content: Content): readonly Annotation[] | undefined {
  return readList(content, 'annotations')?.map(({ key, value }) => ({ key, value }));
}

export function readFlag(content: Content, field: string): boolean | undefined {
  const value = content[field];
  if (value === undefined || typeof value === 'boolean') return value;
  throw malformed(field, 'true or false', value);
}

export function readString(content: Content, field: string, path = field): string | undefined {
  const value = content[field];
  if (value === undefined || typeof value === 'string') return value;
  throw malformed(path, 'a string', value);
}

function readList(
  content: Content,
  field: string,
): readonly { readonly key: string; readonly value: unknown; readonly init: unknown }[] | undefined {
  const list = content[field];
  if (list === undefined) return undefined;
  if (!Array.isArray(list)) throw malformed(field, 'a list of {key, value}', list);
  return list.map((item: unknown, index) => {
    if (!isObject(item) || typeof item.key !== 'string' || item.key === '') {
      throw malformed(`${field}[${index}]`, '{key, value} with a key', item);
    }
    return { key: item.key, value: item.value ?? null, init: item.init };
  });
}

function isObject(value: unknown): value is Content {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
