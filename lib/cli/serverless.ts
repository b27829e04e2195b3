import { runProgram } from './run-program.ts';
import { serverlessCommand } from './serverless/serverless-command.ts';
import { withVersion } from './with-version.ts';

/**
 * The `serverless` command: the platform's functions command line. Resolves to its exit code: 0, or 1 for a user's mistake and for what could
 * not be done, told on stderr.
 *
 * @param args the command line behind the program's name
 */
export async function main(args: readonly string[]): Promise<number> {
  return runProgram(withVersion(serverlessCommand()), args);
}
