import { ToolError } from '../errors.ts';

/** What a result may take as JSON where a model reads it; clients cut off, or refuse, what is much longer. */
export const usualMaxBytes = 32 * 1024;

/** More than this, with its text beside it, might not fit into what a function may answer. */
const mostMaxBytes = 256 * 1024;

/** Less would not hold what is said of a result that was cut. */
const leastMaxBytes = 2 * 1024;

/** The field of an address that sets what a result may take. */
export const maxBytesWord = 'maxBytes';

/**
 * Reads `?maxBytes=`; undefined where it is not given. More than an answer can hold becomes that.
 *
 * @throws ToolError `invalid_arguments`
 */
export function maxBytesOf(query: URLSearchParams): number | undefined {
  const text = query.get(maxBytesWord);
  if (text === null) return undefined;
  if (/^\d{1,9}$/.test(text) && Number(text) >= leastMaxBytes) return Math.min(Number(text), mostMaxBytes);
  const got = JSON.stringify(text.slice(0, 40));
  const expected = `a number of bytes, from ${leastMaxBytes} to ${mostMaxBytes}`;
  throw new ToolError('invalid_arguments', `${maxBytesWord}: expected ${expected}, got ${got}`, {
    problems: [{ field: maxBytesWord, got, expected }],
  });
}

/** What each of several results may take that are answered together. */
export function sharedMaxBytes(query: URLSearchParams, count: number): number {
  return Math.min(maxBytesOf(query) ?? usualMaxBytes, Math.max(leastMaxBytes, Math.floor(mostMaxBytes / count)));
}
