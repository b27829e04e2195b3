import { type Command, CommanderError } from 'commander';
import { DeployError } from '../deployer/deploy-error.ts';
import { HostError } from '../host/host-error.ts';
import { CliError } from './cli-error.ts';

/**
 * Runs a command line to its exit code: 0, or 1 for what the user can mend, which is told on stderr in a sentence. Anything else is a bug
 * and thrown.
 *
 * @param args the command line behind the program's name
 */
export async function runProgram(program: Command, args: readonly string[]): Promise<number> {
  endQuietlyWithTheReader(process.stdout);
  endQuietlyWithTheReader(process.stderr);
  try {
    await program.parseAsync(args, { from: 'user' });
    return 0;
  } catch (failure) {
    // Help and version end this way too, and have printed what they have to say.
    if (failure instanceof CommanderError) return failure.exitCode;
    if (failure instanceof CliError || failure instanceof DeployError || failure instanceof HostError) return told(program, failure);
    throw failure;
  }
}

function told(program: Command, failure: Error): number {
  process.stderr.write(`${program.name()}: ${failure.message}\n`);
  return 1;
}

/** `serverless ... | head` is no error: who reads has read enough. */
function endQuietlyWithTheReader(stream: NodeJS.WriteStream): void {
  stream.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') throw error;
    process.exit(0);
  });
}
