import { CliError } from '../../cli-error.ts';
import type { Action } from './wire.ts';

/**
 * A function's name as the API has it: `package/function`, or `function` in the default package. Taken are these, `default/function`, and
 * the full name `/namespace/package/function`. CliError for anything else.
 */
export function functionName(given: string): string {
  const segments = given.split('/');
  const own = segments[0] === '' ? segments.slice(2) : segments;
  const [first = '', second, ...more] = own;
  if (first === '' || second === '' || more.length > 0) {
    throw new CliError(`"${given}" is no function's name: write package/function, or function for one in no package`);
  }
  if (second === undefined) return first;
  return first === 'default' ? second : own.join('/');
}

/** `package/function` of a function, or `function`. */
export function nameOf({ namespace, name }: Pick<Action, 'namespace' | 'name'>): string {
  const packageName = namespace.split('/')[1];
  return packageName === undefined ? name : `${packageName}/${name}`;
}

/** A name as part of an address. */
export function asPath(name: string): string {
  return name.split('/').map(encodeURIComponent).join('/');
}
