import { isObject, type JsonObject } from '../../../fields.ts';

/**
 * The JSON object of a body that has been parsed once already, its integers beyond 2^53 as bigint. Kafka and MySQL have settings of 64
 * bits, of which a number would keep 53.
 */
export function exactJson(text: string): JsonObject {
  // The types lack the third parameter of ECMAScript's "JSON.parse source text access".
  const value: unknown = text === '' ? {} : JSON.parse(text, exact as (key: string, value: unknown) => unknown);
  return isObject(value) ? value : {};
}

function exact(_key: string, value: unknown, { source = '' }: { readonly source?: string }): unknown {
  return typeof value === 'number' && !Number.isSafeInteger(value) && /^-?\d+$/.test(source) ? BigInt(source) : value;
}
