import { Command } from 'commander';
import { hooksCommand } from './hooks/hooks-command.ts';
import { mcpCommand } from './mcp/mcp-command.ts';
import { runProgram } from './run-program.ts';
import { devCommand } from './serverless/project/project-commands.ts';
import { serverlessCommand } from './serverless/serverless-command.ts';
import { startCommand } from './start/start-command.ts';
import { tokenCommand } from './token/token-command.ts';
import { typed } from './typed.ts';
import { withVersion } from './with-version.ts';

/**
 * The `deckhand` command. Resolves to its exit code: 0, or 1 for a user's mistake, which is told on stderr.
 *
 * @param args the command line behind the program's name
 */
export async function main(args: readonly string[]): Promise<number> {
  const program = new Command('deckhand')
    .description('The operations of a cloud platform as named tools, with an emulator of the platform and a host for its functions.')
    .exitOverride()
    .showHelpAfterError(`(${typed('deckhand --help')} tells what there is)`)
    .addCommand(startCommand())
    .addCommand(mcpCommand())
    .addCommand(tokenCommand())
    .addCommand(hooksCommand())
    .addCommand(devCommand())
    .addCommand(serverlessCommand());
  return runProgram(withVersion(program), args);
}
