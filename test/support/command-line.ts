import { type ParseArgsConfig, parseArgs } from 'node:util';

type Options = NonNullable<ParseArgsConfig['options']>;
type Values<T extends Options> = ReturnType<typeof parseArgs<{ args: string[]; options: T }>>['values'];

/** A command of this repository: the options that it takes, how it is told, and what it does. */
export interface Command<T extends Options, Asked> {
  readonly usage: string;
  readonly options: T;
  /** What the options ask for, or what is wrong with them. */
  readonly read: (values: Values<T>) => Asked | string;
  /** Does it; resolves to the exit code. */
  readonly run: (asked: Asked) => Promise<number>;
}

/** Runs a command, or tells on stderr what is wrong with its arguments, and exits 1. */
export async function runCommand<T extends Options, Asked extends object>(
  args: readonly string[],
  { usage, options, read, run }: Command<T, Asked>,
): Promise<number> {
  const asked = readArguments(args, options, read);
  if (typeof asked !== 'string') return run(asked);
  process.stderr.write(`${asked}\n${usage}\n`);
  return 1;
}

function readArguments<T extends Options, Asked>(args: readonly string[], options: T, read: Command<T, Asked>['read']): Asked | string {
  try {
    return read(parseArgs({ args: [...args], options }).values);
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

/** What is wrong with a seed; undefined: nothing. */
export function seedProblem(seed: string): string | undefined {
  return /^\d{1,9}$/.test(seed) ? undefined : `--seed: expected an integer from 0, got ${seed}`;
}
