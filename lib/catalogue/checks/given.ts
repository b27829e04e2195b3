import type { Problem } from '../../errors.ts';

/** The problem of a call that gives none of the arguments of which it needs one. An empty list gives nothing. */
export function atLeastOne<Name extends string>(
  input: Readonly<Partial<Record<Name, unknown>>>,
  ...names: readonly Name[]
): readonly Problem[] {
  if (names.some((name) => isGiven(input[name]))) return [];
  return [{ field: names.join(', '), expected: `at least one of ${names.join(', ')}` }];
}

/** The problem of a call that gives two arguments that rule each other out. */
export function notBoth<Name extends string>(input: Readonly<Partial<Record<Name, unknown>>>, one: Name, other: Name): readonly Problem[] {
  if (!isGiven(input[one]) || !isGiven(input[other])) return [];
  return [{ field: `${one}, ${other}`, expected: `${one} or ${other}, not both` }];
}

/** The problems of arguments that are missing and needed for a reason, such as `for Type REGIONAL`. */
export function needed<Name extends string>(
  input: Readonly<Partial<Record<Name, unknown>>>,
  why: string,
  ...names: readonly Name[]
): readonly Problem[] {
  return names.filter((name) => !isGiven(input[name])).map((name) => ({ field: name, expected: `a value; it is required ${why}` }));
}

function isGiven(value: unknown): boolean {
  return value !== undefined && value !== '' && !(Array.isArray(value) && value.length === 0);
}
