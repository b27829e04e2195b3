import { Command, CommanderError } from 'commander';
import manifest from '../../package.json' with { type: 'json' };
import { DeployError } from '../deployer/deploy-error.ts';
import { HostError } from '../host/host-error.ts';
import { CliError } from './cli-error.ts';
import { startCommand } from './start/start-command.ts';
import { tokenCommand } from './token/token-command.ts';

/**
 * The `deckhand` command. Resolves to its exit code: 0, or 1 for a user's mistake, which is told on stderr.
 *
 * @param args the command line behind the program's name
 */
export async function main(args: readonly string[]): Promise<number> {
  const program = new Command('deckhand')
    .description('The operations of a cloud platform as named tools, with an emulator of the platform and a host for its functions.')
    .version(manifest.version)
    .exitOverride()
    .showHelpAfterError('(deckhand --help tells what there is)')
    .addCommand(startCommand())
    .addCommand(tokenCommand());
  try {
    await program.parseAsync(args, { from: 'user' });
    return 0;
  } catch (failure) {
    // Help and version end this way too, and have printed what they have to say.
    if (failure instanceof CommanderError) return failure.exitCode;
    if (failure instanceof CliError || failure instanceof DeployError || failure instanceof HostError) return told(failure);
    throw failure;
  }
}

function told(failure: Error): number {
  process.stderr.write(`deckhand: ${failure.message}\n`);
  return 1;
}
