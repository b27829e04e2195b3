import { unprocessable } from './errors.ts';

/** A parsed request body. */
export type JsonObject = Readonly<Record<string, unknown>>;

export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** A text field that must be there and not be empty; 422 otherwise. */
export function requiredText(body: JsonObject, name: string): string {
  const value = optionalText(body, name);
  if (value === undefined || value === '') {
    throw unprocessable(`${name} is required.`);
  }
  return value;
}

/** A text field that may be absent or null; 422 when it is something else. */
export function optionalText(body: JsonObject, name: string): string | undefined {
  const value = body[name] ?? undefined;
  if (value !== undefined && typeof value !== 'string') {
    throw unprocessable(`${name} must be a string.`);
  }
  return value;
}

/** A true-or-false field, false when absent or null; 422 when it is something else. */
export function flag(body: JsonObject, name: string, absent = false): boolean {
  const value = body[name] ?? absent;
  if (typeof value !== 'boolean') {
    throw unprocessable(`${name} must be true or false.`);
  }
  return value;
}

/** A whole number; 422 when it is absent or something else. */
export function requiredInteger(body: JsonObject, name: string): number {
  const value = body[name];
  if (typeof value !== 'number' || !Number.isSafeInteger(value)) {
    throw unprocessable(`${name} must be an integer.`);
  }
  return value;
}

/** A list field, empty when absent or null; 422 when it is something else. */
export function list(body: JsonObject, name: string): readonly unknown[] {
  const value = body[name] ?? [];
  if (!Array.isArray(value)) {
    throw unprocessable(`${name} must be an array.`);
  }
  return value;
}

/** A list of texts, empty when absent or null; 422 when it is something else. */
export function texts(body: JsonObject, name: string): readonly string[] {
  return list(body, name).map((value) => {
    if (typeof value !== 'string') {
      throw unprocessable(`${name} must be an array of strings.`);
    }
    return value;
  });
}

/** An identifier from a path: a positive safe integer in plain digits, or undefined. */
export function integerId(text: string | undefined): number | undefined {
  if (text === undefined || !/^[1-9]\d{0,15}$/.test(text)) {
    return undefined;
  }
  const id = Number(text);
  return Number.isSafeInteger(id) ? id : undefined;
}

/** Refuses fields that the operation does not know: 422 naming the first of them. */
export function onlyFields(body: JsonObject, known: readonly string[], place = ''): void {
  const unknown = Object.keys(body).find((name) => !known.includes(name));
  if (unknown !== undefined) {
    throw unprocessable(`${place}${unknown} is not a known field.`);
  }
}

/** A whole number from `from` to `to`, `absent` when it is absent or null; 422 when it is required or something else. */
export function integerFrom(body: JsonObject, name: string, from: number, to: number, absent?: number): number {
  const value = body[name] ?? absent;
  if (typeof value !== 'number' || !Number.isSafeInteger(value) || value < from || value > to) {
    throw unprocessable(`${name} must be an integer from ${from} to ${to}.`);
  }
  return value;
}

/** One of a few texts, `absent` when it is absent, null or empty; 422 when it is required or something else. */
export function choice<T extends string>(body: JsonObject, name: string, allowed: readonly T[], absent?: T): T {
  const value = body[name];
  const chosen = value === undefined || value === null || value === '' ? absent : allowed.find((each) => each === value);
  if (chosen === undefined) {
    throw unprocessable(`${name} must be one of ${allowed.join(', ')}.`);
  }
  return chosen;
}

/** An object field, undefined when absent or null; 422 when it is something else. */
export function optionalObject(body: JsonObject, name: string): JsonObject | undefined {
  const value = body[name] ?? undefined;
  if (value !== undefined && !isObject(value)) {
    throw unprocessable(`${name} must be an object.`);
  }
  return value;
}

/** A list of objects, empty when absent or null; 422 when it is something else. */
export function objects(body: JsonObject, name: string): readonly JsonObject[] {
  return list(body, name).map((value) => {
    if (!isObject(value)) {
      throw unprocessable(`${name} must be an array of objects.`);
    }
    return value;
  });
}

/** A list of identifiers that are positive integers, each once, empty when absent or null; 422 when it is something else. */
export function integerIds(body: JsonObject, name: string): readonly number[] {
  const ids = list(body, name).map((value) => {
    if (typeof value !== 'number' || !Number.isSafeInteger(value) || value < 1) {
      throw unprocessable(`${name} must be an array of integers.`);
    }
    return value;
  });
  return [...new Set(ids)];
}
