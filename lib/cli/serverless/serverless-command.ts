import { Command } from 'commander';
import { typed } from '../typed.ts';
import { activationsCommands } from './activations/activations-commands.ts';
import { functionsCommands } from './functions/functions-commands.ts';
import { namespaceCommands, namespacesCommands } from './namespace/namespace-commands.ts';
import { projectCommands } from './project/project-commands.ts';

/**
 * The command line of the functions platform, verbs and options as the platform's own has them. It speaks the REST API alone, and so works
 * with the host of this machine and with the platform.
 */
export function serverlessCommand(): Command {
  const command = new Command('serverless')
    .alias('sls')
    .description('Develop, test and deploy functions')
    .exitOverride()
    .showHelpAfterError(`(${typed('serverless --help')} tells what there is)`);
  for (const each of [...projectCommands(), functionsCommands(), activationsCommands(), namespacesCommands(), ...namespaceCommands()]) {
    command.addCommand(each);
  }
  return command;
}
