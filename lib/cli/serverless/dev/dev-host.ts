import { mkdirSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import type { Target } from '../../../deployer/functions-api.ts';
import { HostError } from '../../../host/host-error.ts';
import { type Host, type HostOptions, startHost } from '../../../host/start-host.ts';
import { CliError } from '../../cli-error.ts';
import { buildSlice } from '../../start/build-slice.ts';
import { localToken } from '../../start/local-settings.ts';
import { followActivations } from '../activations/follow-activations.ts';
import { namespaceClient } from '../api/namespace-client.ts';
import { tell } from '../output/print.ts';
import { readCredentials } from '../target/credentials-file.ts';
import { localHostFile } from '../target/resolve-target.ts';
import { runOfActivation, runOfEvent, type ShownRun } from './shown-run.ts';

/** What a host of one's own is started with. */
export interface DevHostOptions {
  /** Undefined: the usual one, or any where that is taken. */
  readonly port?: number;
  /** A function to debug, and where. */
  readonly inspect?: { readonly function: string; readonly port?: number };
  readonly onRun: (run: ShownRun) => void;
  readonly signal: AbortSignal;
}

/** The host that a project is developed on. */
export interface DevHost {
  readonly target: Target;
  readonly namespace: string;
  /** In words: where it is and whose. */
  readonly description: string;
  /** Ends the host if it is one's own; resolves when nothing of it is left. */
  close(): Promise<void>;
}

const USUAL_PORT = 3233;
/** Whoever looks at a breakpoint is not to find the call given up or the process gone. */
const DAY_MS = 24 * 60 * 60 * 1000;

/**
 * The host of this machine that is nearest to a project, if it runs; else one of one's own, which keeps its state in `.deckhand/` of the
 * project. Every run of a function is told from then on. CliError where a port was named that is taken.
 */
export async function openDevHost(directory: string, options: DevHostOptions): Promise<DevHost> {
  return (await runningHost(directory, options)) ?? ownHost(directory, options);
}

async function runningHost(directory: string, { port, inspect, onRun, signal }: DevHostOptions): Promise<DevHost | null> {
  const file = localHostFile(resolve(directory));
  const target = file === null ? null : readCredentials(file);
  if (target === null || !(await answers(target))) return null;
  if (port !== undefined)
    throw new CliError(`--port ${port}: a host runs at ${target.apihost} already (${file}): leave it out, or end that`);
  if (inspect !== undefined) {
    throw new CliError(`--inspect wants a host of its own, and one runs at ${target.apihost} already (${file}): end that first`);
  }
  const following = followRuns(target, onRun, signal);
  return {
    target,
    namespace: target.namespace,
    description: `${target.apihost}, which runs already (${file})`,
    close: () => following,
  };
}

async function followRuns(target: Target, onRun: (run: ShownRun) => void, signal: AbortSignal): Promise<void> {
  for await (const activation of followActivations(namespaceClient(target), undefined, signal)) onRun(runOfActivation(activation));
}

/** Whether the credentials open a namespace there now. The host that wrote them may have ended, and its port be another program's. */
async function answers(target: Target): Promise<boolean> {
  try {
    await namespaceClient(target).namespace();
    return true;
  } catch {
    return false;
  }
}

async function ownHost(directory: string, options: DevHostOptions): Promise<DevHost> {
  const dataDir = join(resolve(directory), '.deckhand', 'host');
  mkdirSync(dataDir, { recursive: true, mode: 0o700 });
  const host = await onSomePort(options.port, {
    dataDir,
    apiToken: localToken(dirname(dataDir)),
    remoteBuild: buildSlice,
    onActivation: (event) => options.onRun(runOfEvent(event)),
    onProgress: tell,
    ...(options.inspect && { inspect: options.inspect, answerWaitMs: DAY_MS, idleTimeoutMs: DAY_MS }),
  });
  if (options.inspect) {
    tell(
      `${options.inspect.function} can be debugged at 127.0.0.1:${host.inspectorPort}; its timeout does not run while a debugger is attached`,
    );
  }
  return {
    target: { apihost: host.url, auth: host.auth },
    namespace: host.namespace,
    description: `${host.url}, with its state in ${dirname(dataDir)}`,
    close: () => host.close(),
  };
}

async function onSomePort(port: number | undefined, options: HostOptions): Promise<Host> {
  try {
    return await startHost({ ...options, port: port ?? USUAL_PORT });
  } catch (error) {
    if (!(error instanceof HostError) || error.code !== 'port_in_use' || port !== undefined) throw error;
    return startHost({ ...options, port: 0 });
  }
}
