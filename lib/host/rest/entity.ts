import { HostError } from '../host-error.ts';

/** The platform's rule for names of packages and functions. */
const namePattern = /^(?:\w|\w[\w@ .-]*[\w@.-]+)$/;
const longestName = 256;
const mostListed = 200;
const defaultListed = 30;

/** Returns the name, or refuses it: HostError `bad_request`. */
export function entityName(name: string): string {
  if (isEntityName(name)) return name;
  throw new HostError(
    'bad_request',
    `"${name}" is not a name: it takes letters, digits, _ @ . - and spaces inside, ${longestName} at most`,
  );
}

export function isEntityName(name: string): boolean {
  return name.length <= longestName && namePattern.test(name);
}

export function notFound(): HostError {
  return new HostError('not_found', 'The requested resource does not exist.');
}

/** `limit` and `skip` of a list; a limit of 0 means the most. HostError `bad_request` outside of their range. */
export function readPage(query: URLSearchParams): { readonly limit: number; readonly skip: number } {
  const limit = readNumber(query, 'limit', mostListed) ?? defaultListed;
  return { limit: limit === 0 ? mostListed : limit, skip: readNumber(query, 'skip', Number.MAX_SAFE_INTEGER) ?? 0 };
}

/** A whole number from 0 on of a query; undefined where it is not given. HostError `bad_request`. */
export function readNumber(query: URLSearchParams, key: string, most = Number.MAX_SAFE_INTEGER): number | undefined {
  const given = query.get(key);
  if (given === null || given === '') return undefined;
  const value = Number(given);
  if (/^\d+$/.test(given) && value <= most) return value;
  throw new HostError('bad_request', `The query parameter ${key}: expected a whole number from 0 to ${most}, got ${given}`);
}

/** A switch of a query: `true` or `false`, false where it is not given. HostError `bad_request`. */
export function readSwitch(query: URLSearchParams, key: string, otherwise = false): boolean {
  const given = query.get(key);
  if (given === null || given === '') return otherwise;
  if (given === 'true' || given === 'false') return given === 'true';
  throw new HostError('bad_request', `The query parameter ${key}: expected true or false, got ${given}`);
}
