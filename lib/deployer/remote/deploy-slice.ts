import { parse } from 'yaml';
import { isRecord } from '../api/connection.ts';
import { buildLib } from '../build/build-lib.ts';
import { DeployError } from '../deploy-error.ts';
import { deployFunction, type FunctionResult } from '../deploy-function.ts';
import type { Deployment } from '../deployment.ts';
import { type Failed, failable } from '../failable.ts';
import { functionsApi, type Target } from '../functions-api.ts';
import type { Environment, JsonObject, Project } from '../project.ts';
import { readProject } from '../read-project.ts';
import { checkTarget } from '../upload/check-target.ts';
import { putPackage } from '../upload/put-package.ts';

/** An unpacked slice: its directory, and the text of its project.yml, decrypted. */
export interface UnpackedSlice {
  readonly dir: string;
  readonly config: string;
}

export interface SliceOptions {
  /** Goes into the environment of builds, over what the slice has. */
  readonly environment?: Environment;
  /** Ends what is running. */
  readonly signal?: AbortSignal;
  /** The Node that builds run on. Default: the one of this process. */
  readonly nodePath?: string;
}

/** What a remote build answers (platform reference, REST row 16), with the outcome as the platform's deployer reads it. */
export interface SliceResult {
  readonly transcript: readonly string[];
  readonly outcome: SliceOutcome;
}

export interface SliceOutcome {
  readonly successes: readonly { readonly name: string; readonly kind: 'action'; readonly skipped: boolean }[];
  readonly failures: readonly { readonly name: string; readonly message: string; readonly context: string }[];
  readonly ignored: readonly string[];
  readonly packageVersions: Readonly<Record<string, never>>;
  readonly actionVersions: Readonly<Record<string, { readonly version: string; readonly digest: string }>>;
  readonly namespace: string;
}

/**
 * The far side of a remote build: builds and puts what a slice holds, with a key of the host's choosing; the one in the slice is not used.
 * What its author can fix comes back as a failure of the outcome.
 */
export async function deploySlice(slice: UnpackedSlice, target: Target, options: SliceOptions = {}): Promise<SliceResult> {
  const transcript: string[] = [];
  const onProgress = (line: string): void => void transcript.push(...line.split('\n'));
  const api = functionsApi(target);
  const [namespace = ''] = await api.namespaces();
  const work = await failable('slice', async () => {
    const { config, buildEnv, annotation, isPackagePut } = readSliceConfig(slice.config);
    const project = readProject(slice.dir, { env: {}, config });
    const deployment: Deployment = {
      ...(await checkTarget(project, api)),
      ...{
        api,
        target,
        projectDir: project.dir,
        build: 'always',
        remoteBuild: false,
        incremental: false,
        buildEnv: { ...buildEnv, ...options.environment },
        annotation,
        onProgress,
        onResult: onProgress,
      },
      nodePath: options.nodePath ?? process.execPath,
      ...(options.signal !== undefined && { signal: options.signal }),
    };
    return deployAll(project, deployment, isPackagePut);
  });
  const results = 'failed' in work ? [work] : work;
  return { transcript, outcome: outcomeOf(results, namespace) };
}

async function deployAll(project: Project, deployment: Deployment, isPackagePut: boolean): Promise<readonly FunctionResult[]> {
  await buildLib(project, deployment);
  const results: FunctionResult[] = [];
  for (const pack of project.packages) {
    if (!isPackagePut) await putPackage(pack, deployment);
    for (const entry of pack.functions) results.push(await deployFunction(entry, project, deployment));
  }
  return results;
}

const SLICE_KEYS = ['slice', 'credentials', 'flags', 'deployerAnnotation', 'buildEnv', 'targetNamespace'];

interface SliceConfig {
  /** project.yml without what only a slice has. */
  readonly config: string;
  readonly buildEnv: Environment;
  readonly annotation: JsonObject;
  readonly isPackagePut: boolean;
}

function readSliceConfig(text: string): SliceConfig {
  const root: unknown = parse(text, { version: '1.1' });
  if (!isRecord(root)) throw new DeployError('invalid_project', 'the project.yml of the slice holds no keys and values');
  const { packages, deployerAnnotation, buildEnv } = root;
  const annotation = isRecord(deployerAnnotation) ? deployerAnnotation : {};
  const config = { ...without(root, SLICE_KEYS), packages: Array.isArray(packages) ? packages.map(withoutMarks) : [] };
  return {
    config: JSON.stringify(config),
    buildEnv: isRecord(buildEnv) ? stringsOf(buildEnv) : {},
    // It came out of YAML without tags, which knows what JSON knows.
    annotation: without(annotation, ['newSliceHandling', 'digest']) as JsonObject,
    isPackagePut: annotation.newSliceHandling === true,
  };
}

/** The platform's deployer leaves marks of its own in the packages and functions of a slice. */
function withoutMarks(pack: unknown): unknown {
  if (!isRecord(pack)) return pack;
  const functions = pack.functions ?? pack.actions;
  const unmarked = Array.isArray(functions) ? functions.map((entry) => (isRecord(entry) ? without(entry, ['zipped']) : entry)) : [];
  return { ...without(pack, ['deployedDuringBuild', 'actions']), functions: unmarked };
}

function without(record: Readonly<Record<string, unknown>>, keys: readonly string[]): Readonly<Record<string, unknown>> {
  return Object.fromEntries(Object.entries(record).filter(([key]) => !keys.includes(key)));
}

function stringsOf(values: Readonly<Record<string, unknown>>): Environment {
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [name, String(value)]));
}

function outcomeOf(results: readonly FunctionResult[], namespace: string): SliceOutcome {
  const deployed = results.flatMap((result) => ('deployed' in result ? [result.deployed] : []));
  const failed: readonly Failed[] = results.flatMap((result) => {
    if ('failed' in result) return [result.failed];
    return 'skipped' in result ? [{ name: result.skipped.name, error: result.skipped.reason }] : [];
  });
  return {
    successes: deployed.map(({ name }) => ({ name, kind: 'action', skipped: false })),
    failures: failed.map(({ name, error }) => ({ name: 'Error', message: error, context: `action '${name}'` })),
    ignored: [],
    packageVersions: {},
    actionVersions: Object.fromEntries(deployed.map(({ name, version, digest }) => [name, { version, digest }])),
    namespace,
  };
}
