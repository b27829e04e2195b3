import { isTooDeep } from '../depth.ts';
import { isRecord } from '../is-record.ts';

/**
 * What a text argument stands for: `integer` from 1, `boolean`, `object` (its JSON), `id`, which may be a number, or `list` (texts between commas). The value itself is then
 * taken beside its text; the argument is read as text either way.
 */
export type TextForm = 'integer' | 'boolean' | 'object' | 'id' | 'list';

/** The text that a value stands for in a form; undefined where it does not fit. */
export function textIn(form: TextForm, value: unknown): string | undefined {
  switch (form) {
    case 'integer': {
      const text = typeof value === 'number' ? String(value) : value;
      return typeof text === 'string' && /^[1-9]\d*$/.test(text) && Number.isSafeInteger(Number(text)) ? text : undefined;
    }
    case 'boolean': {
      const text = typeof value === 'boolean' ? String(value) : value;
      return typeof text === 'string' && /^(true|false)$/i.test(text) ? text.toLowerCase() : undefined;
    }
    case 'object': {
      if (isRecord(value)) return isExact(value) ? JSON.stringify(value) : undefined;
      return typeof value === 'string' && isRecord(parsedOr(value)) ? value : undefined;
    }
    case 'list':
      if (Array.isArray(value) && value.every((item) => typeof item === 'string')) return value.join(',');
      return typeof value === 'string' ? value : undefined;
    case 'id':
      return Number.isSafeInteger(value) ? String(value) : typeof value === 'string' ? value : undefined;
  }
}

/** What is expected in a form, in words. */
export const textFormWords: Readonly<Record<TextForm, string>> = {
  integer: 'an integer from 1, as text or number',
  boolean: 'true or false, as text or boolean',
  object: 'a JSON object, as text or object; as text where it has integers over 9007199254740991',
  id: 'a string',
  list: 'a string or a list of strings',
};

/** The value that a JSON text holds, or the text where it is none, or nested too deep. */
export function parsedOr(text: string): unknown {
  try {
    const value: unknown = JSON.parse(text);
    return isTooDeep(value) ? text : value;
  } catch {
    return text;
  }
}

/** Whether no integer in a value may have lost digits when it was parsed. */
function isExact(value: unknown): boolean {
  if (typeof value === 'number') return !Number.isInteger(value) || Number.isSafeInteger(value);
  return typeof value !== 'object' || value === null || Object.values(value).every(isExact);
}
