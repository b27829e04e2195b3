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

/** Refuses a body, or an object in one, that has fields the platform does not know; 422 naming them. */
export function refuseUnknownFields(body: JsonObject, known: readonly string[], where = 'this request'): void {
  const unknown = Object.keys(body).filter((name) => !known.includes(name));
  if (unknown.length > 0) {
    throw unprocessable(`${where} has unknown fields: ${unknown.join(', ')}.`);
  }
}

/** A text field with one of a few values; 422 when it is absent or something else. */
export function requiredChoice<T extends string>(body: JsonObject, name: string, choices: readonly T[]): T {
  const found = choices.find((choice) => choice === body[name]);
  if (found === undefined) {
    throw unprocessable(`${name} must be one of ${choices.join(', ')}.`);
  }
  return found;
}

/** An identifier from a path: a positive safe integer in plain digits, or undefined. */
export function integerId(text: string | undefined): number | undefined {
  if (text === undefined || !/^[1-9]\d{0,15}$/.test(text)) {
    return undefined;
  }
  const id = Number(text);
  return Number.isSafeInteger(id) ? id : undefined;
}
