import { type Command, Option } from 'commander';
import type { DevOptions } from '../dev/dev.ts';
import { readNames, readPort, verb, withAccount } from '../options.ts';
import type { DeployCommandOptions } from './deploy.ts';
import type { DoctorOptions } from './doctor.ts';
import type { MetadataOptions } from './get-metadata.ts';
import type { InitOptions } from './init.ts';
import type { UndeployOptions } from './undeploy.ts';
import type { WatchCommandOptions } from './watch.ts';

/** The verbs that work on a project directory, or undo what they did. Each loads what it needs when it runs. */
export function projectCommands(): readonly Command[] {
  return [init(), deploy(), undeploy(), watch(), devCommand(), getMetadata(), doctor()];
}

function init(): Command {
  return verb('init <directory>', 'Make a project with an example function', 'init --language js hello')
    .option('-l, --language <language>', 'js (javascript) or ts (typescript)', 'javascript')
    .option('--overwrite', 'clear a directory that is there already')
    .action(async (directory: string, options: InitOptions) => {
      const { init: run } = await import('./init.ts');
      run(directory, options);
    });
}

function deploy(): Command {
  return withBuildOptions(withAccount(verb('deploy <directory>', 'Build a project and deploy it', 'deploy hello --include sample/hello')))
    .option('--incremental', 'deploy only what has changed')
    .action(async (directory: string, options: DeployCommandOptions) => {
      const { deploy: run } = await import('./deploy.ts');
      await run(directory, options);
    });
}

function undeploy(): Command {
  const example = 'undeploy sample/hello';
  return withAccount(verb('undeploy [names...]', 'Remove functions, or packages with all functions in them, and their triggers', example))
    .option('-p, --packages', 'take simple names as those of packages')
    .option('--triggers', 'take all names as those of triggers')
    .option('--all', 'remove everything that the namespace holds')
    .addOption(new Option('-f, --force', 'do not ask, as without this').hideHelp())
    .action(async (names: readonly string[], options: UndeployOptions) => {
      const { undeploy: run } = await import('./undeploy.ts');
      await run(names, options);
    });
}

function watch(): Command {
  return withBuildOptions(withAccount(verb('watch <directory>', 'Deploy a project, and again what changes in it', 'watch hello'))).action(
    async (directory: string, options: WatchCommandOptions) => {
      const { watch: run } = await import('./watch.ts');
      await run(directory, options);
    },
  );
}

/** `dev`, which is also a command of its own. */
export function devCommand(): Command {
  const example = 'dev hello';
  return withBuildOptions(
    verb('dev <directory>', 'Develop a project: a host if none runs, deployments as it changes, runs as they come', example),
  )
    .option('--port <port>', 'port of the host that is started; 0 takes any free one', readPort)
    .option('--inspect <function>', 'a function to debug, with a debugger for Node')
    .option('--inspect-port <port>', 'where the debugger finds it, otherwise 9229 or any free one', readPort)
    .action(async (directory: string, options: DevOptions) => {
      const { dev: run } = await import('../dev/dev.ts');
      await run(directory, options);
    });
}

function getMetadata(): Command {
  const example = 'get-metadata hello --include sample';
  return withSelection(verb('get-metadata <directory>', 'Tell what a project holds, as JSON, without deploying it', example)).action(
    async (directory: string, options: MetadataOptions) => {
      const { getMetadata: run } = await import('./get-metadata.ts');
      run(directory, options);
    },
  );
}

function doctor(): Command {
  const example = 'doctor hello';
  return withSelection(verb('doctor <directory>', 'Tell what of a project will fail or surprise on the platform', example)).action(
    async (directory: string, options: DoctorOptions) => {
      const { doctor: run } = await import('./doctor.ts');
      await run(directory, options);
    },
  );
}

/** What all verbs that read a project have in common. */
function withSelection(command: Command): Command {
  return command
    .option('--env <file>', 'file with the values of variables in project.yml, in place of .env of the project')
    .option('--include <names>', 'only these packages and functions, separated by commas', readNames)
    .option('--exclude <names>', 'all but these packages and functions', readNames);
}

/** What deploy and watch have in common. */
function withBuildOptions(command: Command): Command {
  return withSelection(command)
    .option('--build-env <file>', 'file with variables for build scripts')
    .option('--remote-build', 'build on the host, for modules that are compiled for its machine')
    .option('--verbose-build', 'show what builds print, as it comes')
    .option('--no-triggers', 'leave the triggers on the host as they are')
    .option('--insecure', 'take any certificate of an https host')
    .addOption(new Option('--yarn', 'refused: builds run npm').hideHelp());
}
