import type { Command } from 'commander';
import manifest from '../../package.json' with { type: 'json' };

/** Gives a program `--version`, wherever it stands in the line, but for a command that has one of its own: that one's is meant behind its name. */
export function withVersion(program: Command): Command {
  program.enablePositionalOptions().version(manifest.version);
  for (const command of program.commands) addBelow(command);
  return program;
}

function addBelow(command: Command): void {
  if (!command.options.some(({ long }) => long === '--version')) {
    command.enablePositionalOptions().version(manifest.version);
    // The help of the program tells of it.
    command.options.at(-1)?.hideHelp();
  }
  for (const each of command.commands) addBelow(each);
}
