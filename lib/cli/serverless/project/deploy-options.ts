import { readEnvFile } from '../../../deployer/config/env-file.ts';
import type { DeployOptions } from '../../../deployer/deploy-project.ts';
import type { Json, Project } from '../../../deployer/project.ts';
import { readProject } from '../../../deployer/read-project.ts';
import { CliError } from '../../cli-error.ts';
import type { AccountOptions } from '../options.ts';
import { tell } from '../output/print.ts';
import { platformAccess } from '../target/resolve-account.ts';

/** What the command line says of how a project is read and built. */
export interface BuildOptions extends AccountOptions {
  readonly env?: string;
  readonly buildEnv?: string;
  readonly include?: readonly string[];
  readonly exclude?: readonly string[];
  readonly remoteBuild?: boolean;
  readonly verboseBuild?: boolean;
  readonly triggers?: boolean;
  readonly insecure?: boolean;
  readonly yarn?: boolean;
}

/** Reads the project as the options want it. DeployError where it cannot be read. */
export function readChosen(directory: string, { env, include, exclude }: BuildOptions): Project {
  return readProject(directory, { ...(env !== undefined && { envFile: env }), only: { include, exclude } });
}

/** The options of a deployment, those of the command line among them. CliError for what is not done here. */
export function deployOptions(options: BuildOptions, incremental: boolean): DeployOptions {
  if (options.yarn) throw new CliError('--yarn: builds run npm; leave it out, or call yarn in a build.sh of the function');
  // What `fetch` takes the setting from; builds do not get it.
  if (options.insecure) process.env.NODE_TLS_REJECT_UNAUTHORIZED = '0';
  return {
    build: 'always',
    incremental,
    remoteBuild: options.remoteBuild ?? false,
    triggers: options.triggers ?? true,
    onProgress: tell,
    onWaiting: tell,
    ...(options.verboseBuild && { onOutput: (text: string) => process.stderr.write(text) }),
    ...platformAccess(options),
    ...(options.buildEnv !== undefined && { buildEnv: buildVariables(options.buildEnv) }),
  };
}

function buildVariables(file: string): Readonly<Record<string, string>> {
  const variables = readEnvFile(file);
  if (variables === null)
    throw new CliError(`--build-env ${file} does not exist: create it with NAME=value lines, or leave the option out`);
  return Object.fromEntries(Object.entries(variables).map(([name, value]) => [name, asText(value)]));
}

function asText(value: Json): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}
