import type { Problem } from '../../errors.ts';
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

/** Notes a problem with a value that was given; the value is then nothing, since no call is made with it. */
export function refuse(reading: Reading, field: string, given: unknown, expected: string, nearest?: string): undefined {
  const got = isSecret(field, reading.rules) ? notShown : shown(given);
  reading.problems.push({ field, got, expected, ...(nearest !== undefined && { nearest }) });
  return undefined;
}

/** What stands for a secret in a problem. */
export const notShown = 'a value that is not shown';

/** Whether a field, or what it is part of, is a secret by its name. */
function isSecret(field: string, { secrets = [] }: ReadingRules): boolean {
  const steps = stepsOf(field).map(squeezed);
  return secrets.some((name) => steps.includes(squeezed(name)));
}

/** A name without its case and underscores. */
export function squeezed(name: string): string {
  return name.toLowerCase().replaceAll('_', '');
}
