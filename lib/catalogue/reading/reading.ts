import type { Problem } from '../../errors.ts';
import { nearest } from '../nearest.ts';
import type { Tool } from '../tool.ts';
import { shown, stepsOf } from './words.ts';

/** What a tool says about the reading of its arguments, beside their schema. */
export type ReadingRules = Pick<Tool, 'aliases' | 'snakeCaseIn' | 'texts' | 'check' | 'secrets'>;

/** One reading of a call's arguments, as far as it has come. */
export interface Reading {
  readonly problems: Problem[];
  /** The values came as text. */
  readonly text: boolean;
  readonly rules: ReadingRules;
  /** Inside an argument whose objects take names in snake_case too. */
  readonly snakeCase: boolean;
}

/** More would bury what is to be mended, and a hostile call could make the answer larger than answers may be. */
export const mostTold = 20;

/** A word that should have been one of others. */
interface Misspelt {
  readonly word: string;
  readonly candidates: readonly string[];
  /** The value is not to be shown, whatever it is called. */
  readonly hidden?: boolean;
}

/** Notes a problem with a value that was given; the value is then nothing, since no call is made with it. */
export function refuse(reading: Reading, field: string, given: unknown, expected: string, misspelt?: Misspelt): undefined {
  // What will not be told is only counted: to find what is nearest to each of ten thousand names takes longer than a call may.
  if (reading.problems.length >= mostTold) {
    reading.problems.push({ field, expected });
    return undefined;
  }
  const got = misspelt?.hidden || isSecret(field, reading.rules) ? notShown : shown(given);
  const near = misspelt && nearest(misspelt.word, misspelt.candidates);
  reading.problems.push({ field, got, expected, ...(near !== undefined && { nearest: near }) });
  return undefined;
}

/** What stands for a secret in a problem. */
const notShown = 'a value that is not shown';

/** Whether a field, or what it is part of, is a secret by its name. */
function isSecret(field: string, { secrets = [] }: ReadingRules): boolean {
  const steps = stepsOf(field).map(squeezed);
  return secrets.some((name) => steps.includes(squeezed(name)));
}

/** A name without its case and underscores. */
export function squeezed(name: string): string {
  return name.toLowerCase().replaceAll('_', '');
}
