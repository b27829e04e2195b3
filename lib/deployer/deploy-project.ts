import { triggersApi } from './api/triggers-api.ts';
import { buildLib } from './build/build-lib.ts';
import { DeployError, type Problem } from './deploy-error.ts';
import type { DeployedFunction } from './deploy-function.ts';
import type { Deployment } from './deployment.ts';
import type { Failed } from './failable.ts';
import { functionsApi, type Target } from './functions-api.ts';
import type { Environment, Project, Skipped } from './project.ts';
import { functionsInOrder, putFunctions } from './put-functions.ts';
import { isBuiltRemotely } from './remote/build-remotely.ts';
import { remoteProblem } from './remote/remote-problems.ts';
import { checkTarget } from './upload/check-target.ts';
import { NO_TRIGGERS, type PutTrigger, putTriggers } from './upload/put-triggers.ts';

/** How a project is deployed. */
export interface DeployOptions {
  /** `never` deploys what earlier builds left and says which listed file is missing. */
  readonly build: 'always' | 'never';
  /** Leave untouched what the host already has with the same digest of code and settings. Default: false. */
  readonly incremental?: boolean;
  /** Build on the host what has a build and does not say `localBuild`. Default: false. */
  readonly remoteBuild?: boolean;
  /** Functions built and uploaded at a time. Default: 4. */
  readonly parallel?: number;
  /** Told of each step, a line at a time. */
  readonly onProgress?: (line: string) => void;
  /** Told how each function and trigger ended, a line at a time, without the reasons: these are in the outcome. Default: `onProgress`. */
  readonly onResult?: (line: string) => void;
  /** Told every few seconds of what still goes on. */
  readonly onWaiting?: (line: string) => void;
  /** The Node that builds run on. Default: the one of this process. */
  readonly nodePath?: string;
  /** Variables for build scripts only. */
  readonly buildEnv?: Environment;
  /** `false` leaves the triggers on the host as they are. Default: they are brought to what the project says. */
  readonly triggers?: boolean;
  /** Told of what builds print, as it comes. */
  readonly onOutput?: (text: string) => void;
  /** Ends builds that are running. */
  readonly signal?: AbortSignal;
  /** A token of the account: the platform takes triggers from it alone. Other hosts take them from the namespace's key. */
  readonly accessToken?: string;
  /** The platform's API, where triggers go with a token. Default: the public one. */
  readonly platformUrl?: string;
}

/**
 * What became of each function and trigger; `failed` also names packages that could not be put and have no function to say so. Triggers are
 * named `trigger <name>` among the skipped and failed.
 */
export interface DeployOutcome {
  readonly namespace: string;
  readonly deployed: readonly DeployedFunction[];
  readonly triggers: readonly PutTrigger[];
  readonly removedTriggers: readonly string[];
  readonly skipped: readonly Skipped[];
  readonly failed: readonly Failed[];
}

const DEFAULT_PARALLEL = 4;

/**
 * Puts a project on a host of the functions REST API: checks it against the host, builds `lib`, puts the packages, then builds and puts
 * each function. What fails for one function is listed in the outcome and stops no other. Throws a DeployError for what concerns the
 * project as a whole: it does not fit the host, asks for what is not deployed yet, `lib` does not build, the host does not answer.
 */
export async function deployProject(project: Project, target: Target, options: DeployOptions): Promise<DeployOutcome> {
  refuseUnresolved(project);
  const api = functionsApi(target);
  const { onProgress = () => undefined, onResult = onProgress } = options;
  const deployment: Deployment = {
    ...(await checkTarget(project, api)),
    api,
    target,
    projectDir: project.dir,
    build: options.build,
    incremental: options.incremental ?? false,
    remoteBuild: options.remoteBuild ?? false,
    annotation: {},
    nodePath: options.nodePath ?? process.execPath,
    buildEnv: options.buildEnv ?? {},
    onProgress,
    onResult,
    ...(options.signal !== undefined && { signal: options.signal }),
    ...(options.onWaiting !== undefined && { onWaiting: options.onWaiting }),
    ...(options.onOutput !== undefined && { onOutput: options.onOutput }),
  };
  refuseRemote(project, deployment);
  const order = functionsInOrder(project, deployment.namespace);
  for (const { name, reason } of project.strays) onProgress(`left out ${name}: it ${reason}`);
  await buildLib(project, deployment);
  const functions = await putFunctions(project, order, deployment, options.parallel ?? DEFAULT_PARALLEL);
  const access = triggersApi(deployment.namespace, { ...target, ...options });
  const triggers = options.triggers === false ? NO_TRIGGERS : await putTriggers(functions.triggered, access, deployment);
  return {
    namespace: deployment.namespace,
    deployed: functions.deployed,
    triggers: triggers.triggers,
    removedTriggers: triggers.removedTriggers,
    skipped: [...functions.skipped, ...triggers.skipped],
    failed: [...functions.failed, ...triggers.failed],
  };
}

function refuseUnresolved({ unresolved }: Project): void {
  if (unresolved.length === 0) return;
  throw new DeployError('invalid_project', `project.yml has no value for ${unresolved.join(', ')}: set them, and read the project again`);
}

/** Before anything is built: a build that cannot run on the host. */
function refuseRemote(project: Project, deployment: Deployment): void {
  const functions = project.packages.flatMap((pack) => pack.functions).filter((entry) => isBuiltRemotely(entry, deployment));
  const problems = functions.flatMap((entry): readonly Problem[] => {
    const message = entry.source.type === 'directory' && entry.source.build !== null ? remoteProblem(entry.source.build, project) : null;
    return message === null ? [] : [{ ...entry.declaredAt, message: `function ${entry.fullName}: ${message}` }];
  });
  if (problems.length === 0) return;
  const message = 'the project cannot be built on the host; nothing was built or deployed: deploy it without remote build';
  throw new DeployError('unsupported', message, { problems });
}
