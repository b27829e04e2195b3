import { type Command, CommanderError } from 'commander';
import { DeployError } from '../deployer/deploy-error.ts';
import { HostError } from '../host/host-error.ts';
import { CliError } from './cli-error.ts';

/** What the user can do where the machine refuses a file, a folder or a port; by the code of Node's error. */
const wayOut: ReadonlyMap<unknown, string> = new Map([
  ['EACCES', 'this user may not; run it as one who may, or on another place'],
  ['EPERM', 'this user may not; run it as one who may, or on another place'],
  ['EROFS', 'nothing can be written there; choose another place'],
  ['ENOSPC', 'the disk is full; make room, or choose another place'],
  ['EDQUOT', "this user's share of the disk is full; make room, or choose another place"],
  ['EISDIR', 'it is a folder; name a file'],
  ...['ENOTDIR', 'ENAMETOOLONG', 'ELOOP'].map((code): [string, string] => [code, 'no file can be there; choose another place']),
]);

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
    if (failure instanceof CliError || failure instanceof DeployError || failure instanceof HostError)
      return told(program, failure.message);
    const way = failure instanceof Error && 'code' in failure ? wayOut.get(failure.code) : undefined;
    if (failure instanceof Error && way !== undefined) return told(program, `${failure.message}: ${way}`);
    throw failure;
  }
}

function told(program: Command, message: string): number {
  process.stderr.write(`${program.name()}: ${message}\n`);
  return 1;
}

/** `serverless ... | head` is no error: who reads has read enough. */
function endQuietlyWithTheReader(stream: NodeJS.WriteStream): void {
  stream.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code === 'EPIPE') process.exit(0);
    // A full disk, for one. Where stderr is what cannot be written, nobody is left to tell.
    if (stream !== process.stderr) process.stderr.write(`what was to be printed cannot be written: ${error.message}\n`);
    process.exit(1);
  });
}
