import { createInterface } from 'node:readline/promises';
import { CliError } from '../cli-error.ts';

/** Asks on the terminal, and throws a CliError for anything but yes; where there is no terminal, for the flag that answers beforehand. */
export async function confirm(question: string, flag: string): Promise<void> {
  const answer = await ask(`${question} (y/N) `, `there is no terminal to ask on: say ${flag} if you mean it`);
  if (!/^y(es)?$/i.test(answer)) throw new CliError('not confirmed; nothing was done');
}

/** Asks on the terminal for a line. CliError with the given words where there is no terminal. */
export async function ask(question: string, otherwise: string): Promise<string> {
  if (!process.stdin.isTTY) throw new CliError(otherwise);
  const terminal = createInterface({ input: process.stdin, output: process.stderr });
  try {
    return (await terminal.question(question)).trim();
  } finally {
    terminal.close();
  }
}
