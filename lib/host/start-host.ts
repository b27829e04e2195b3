import type { RequestListener, Server } from 'node:http';
import type { DatabaseSync } from 'node:sqlite';
import type { ActivationEvent } from './activations/activation-event.ts';
import { Builder } from './builder/builder.ts';
import type { RemoteBuild } from './builder/remote-build.ts';
import { CodeDirectories } from './functions/code-directories.ts';
import { type EnvironmentOf, environments } from './functions/environments.ts';
import { storedCode, storedDigests } from './functions/function-registry.ts';
import { HostError } from './host-error.ts';
import { listen } from './http/listen.ts';
import { createHostServer, hostListener } from './http/serve.ts';
import { servedHosts } from './http/served-hosts.ts';
import { Fleet } from './instances/fleet.ts';
import { Inspector } from './instances/inspector.ts';
import { ProcessLedger } from './instances/process-ledger.ts';
import { defaultKindsDir, KindBinaries } from './kinds/kind-binaries.ts';
import { ProvidedPackages } from './kinds/provided-packages.ts';
import { hostLimits } from './limits.ts';
import { Namespaces } from './namespaces/namespaces.ts';
import { requestRate } from './namespaces/request-rate.ts';
import { writeCredentials } from './store/identity.ts';
import { openStore } from './store/open-store.ts';
import { type Clock, systemClock } from './triggers/clock.ts';

export type { ActivationEvent } from './activations/activation-event.ts';
export type { RemoteBuild, RemoteBuilt, RemoteSlice } from './builder/remote-build.ts';
export type { EnvironmentOf } from './functions/environments.ts';
export type { Clock } from './triggers/clock.ts';

const defaultInstances = 6;
const defaultIdleTimeoutMs = 10 * 60 * 1000;

export interface HostOptions {
  /** 0, the default, takes any free one. */
  readonly port?: number;
  /** Holds `host.sqlite` and `credentials.json`; made if missing, readable by its owner alone. */
  readonly dataDir: string;
  /** Where the Node binaries of the kinds are kept, and the packages they provide; default a cache directory of the user, shared by all hosts. */
  readonly kindsDir?: string;
  /** Web functions served beside the API, by path: `{'/': 'gateway/router', '/hooks': 'gateway/hooks'}`. The longest path wins. */
  readonly mounts?: Readonly<Record<string, string>>;
  /** Names a request may call the host by, beside 127.0.0.1, localhost and [::1]. */
  readonly allowedHosts?: readonly string[];
  /** The most instances of one function, 1 to 64; default 6. */
  readonly maxInstances?: number;
  /** The address this host is reached at from outside, where that is not its own. */
  readonly publicUrl?: string;
  /** How many calls of a namespace may begin in a minute; default 600, as on the platform. `Infinity` for machines that are measured. */
  readonly callsPerMinute?: number;
  /** How long the caller of a function waits for its answer before it is answered 202; default 30 s, as on the platform. */
  readonly answerWaitMs?: number;
  /** An instance that is not used for so long ends; default 10 minutes. */
  readonly idleTimeoutMs?: number;
  /** What all instances may take together, counted by their limits; default half of the machine's memory. */
  readonly totalMemoryMib?: number;
  /**
   * A function to debug, as `package/function`, and the port of 127.0.0.1 where Node's inspector of it is reached: 0 for any, by default 9229, or any
   * where that is taken. It runs in one process at a time, and while a debugger is attached to that its timeout does not run.
   */
  readonly inspect?: { readonly function: string; readonly port?: number };
  /** What schedules go by; default the machine's clock. */
  readonly clock?: Clock;
  /** The account's token: a bearer of it manages namespaces, their keys and triggers under `/v2/functions`. Without one nobody does. */
  readonly apiToken?: string;
  /**
   * What functions of the host's own namespace find in their environment in place of what they were deployed with, whoever deployed them. Where a
   * promise of it is given, their first calls wait for that.
   */
  readonly environmentOf?: EnvironmentOf | Promise<EnvironmentOf>;
  /** Builds and deploys what clients send with `--remote-build`; without it they are told that this host does not build. */
  readonly remoteBuild?: RemoteBuild;
  /** Told of every call of a function, once its log is complete. */
  readonly onActivation?: (activation: ActivationEvent) => void;
  /** Told in a line of text what takes long, such as fetching a kind, and of what went wrong inside the host. */
  readonly onProgress?: (line: string) => void;
}

export interface Host {
  /** `http://127.0.0.1:<port>`. */
  readonly url: string;
  readonly port: number;
  /** Where the function of `inspect` is debugged. */
  readonly inspectorPort: number | undefined;
  readonly namespace: string;
  /** `uuid:key`, for Basic authentication. */
  readonly auth: string;
  /** Answers a request that came to another server, as if it had come to the host's own. */
  readonly handle: RequestListener;
  /** Stops serving and ends every instance; resolves when nothing is left running. */
  close(): Promise<void>;
}

/**
 * Starts a home for functions on 127.0.0.1: the platform's REST API, its web functions, one process per instance. State is kept in
 * `dataDir`, and so namespace and credentials are the same at every start. HostError `data_dir_in_use`, `port_in_use`,
 * `unsafe_directory`, `invalid_option`.
 */
export async function startHost(options: HostOptions): Promise<Host> {
  checkOptions(options);
  const store = openStore(options.dataDir);
  try {
    return await startWith(store, options);
  } catch (error) {
    store.close();
    throw error;
  }
}

async function startWith(store: DatabaseSync, options: HostOptions): Promise<Host> {
  const { dataDir, publicUrl, onActivation = ignore, onProgress = ignore } = options;
  const onBug = (error: unknown): void => onProgress(`internal error: ${error instanceof Error ? error.stack : error}`);
  const inspector = options.inspect && new Inspector(options.inspect.function);
  const ledger = new ProcessLedger(store, onBug);
  const leftovers = await ledger.endLeftovers();
  if (leftovers > 0) onProgress(`ended ${leftovers} processes that an earlier host left running`);
  const kindsDir = options.kindsDir ?? defaultKindsDir();
  const binaries = new KindBinaries(kindsDir, onProgress);
  const packages = new ProvidedPackages(kindsDir, onProgress);
  const directories = new CodeDirectories(
    dataDir,
    { read: (digest) => storedCode(store, digest), digests: () => storedDigests(store) },
    packages.directories,
  );
  let url = '';
  const apiHost = (): string => publicUrl ?? url;
  const environmentOf = environments(options.environmentOf, (name) => name === namespaces.identity.namespace);
  const fleet = new Fleet(
    {
      mostInstances: options.maxInstances ?? defaultInstances,
      idleTimeoutMs: options.idleTimeoutMs ?? defaultIdleTimeoutMs,
      ...(options.totalMemoryMib !== undefined && { totalMemoryMib: options.totalMemoryMib }),
    },
    { binaries, packages, directories, ledger, apiHost, environmentOf, inspector },
  );
  const tell = (activation: ActivationEvent): void => {
    try {
      onActivation(activation);
    } catch (error) {
      onBug(error);
    }
  };
  const limits = {
    perMinute: options.callsPerMinute ?? hostLimits.invocationsPerMinute,
    concurrent: hostLimits.concurrentInvocations,
  };
  const { clock = systemClock } = options;
  const namespaces: Namespaces = new Namespaces({ store, fleet, limits, clock, onActivation: tell, onProgress, onBug });
  const { namespace, auth } = namespaces.identity;
  const { remoteBuild } = options;
  const builder = remoteBuild && new Builder({ dataDir, remoteBuild, ledger, apiHost, ownUrl: () => url, onBug });
  const listener = hostListener({
    namespaces,
    builder,
    directories,
    binaries,
    waitMs: options.answerWaitMs ?? hostLimits.waitMs,
    mounts: options.mounts ?? {},
    onActivation: tell,
    servedHosts: servedHosts(options.allowedHosts ?? [], publicUrl),
    scheme: publicUrl?.startsWith('https:') ? 'https' : 'http',
    onBug,
    apiToken: options.apiToken,
    apiHost,
    rates: { account: requestRate(), strangers: requestRate() },
    clock,
  });
  const server = createHostServer(listener);
  const release = async (): Promise<void> => {
    inspector?.close();
    await Promise.all([builder?.close(), fleet.close(), binaries.close(), packages.close()]);
    namespaces.close();
    directories.remove();
  };
  const ports = Promise.all([listen(server, options.port ?? 0), inspector?.listen(options.inspect?.port)]);
  const [port, inspectorPort] = await ports.catch(async (error: unknown) => {
    server.close();
    await release();
    throw error;
  });
  url = `http://127.0.0.1:${port}`;
  writeCredentials(dataDir, url, { namespace, auth });
  let closing: Promise<void> | undefined;
  const close = async (): Promise<void> => {
    const closed = stopListening(server);
    await release();
    // What was under way has its answer by now; whoever is still sending a request has none to wait for.
    setImmediate(() => server.closeAllConnections());
    await closed;
    store.close();
  };
  return {
    url,
    port,
    inspectorPort,
    namespace,
    auth,
    handle: (request, response) => {
      if (closing) response.destroy();
      else listener(request, response);
    },
    close: () => {
      closing ??= close();
      return closing;
    },
  };
}

function ignore(): void {}

function checkOptions({ maxInstances = defaultInstances, publicUrl, mounts = {} }: HostOptions): void {
  if (!Number.isInteger(maxInstances) || maxInstances < 1 || maxInstances > 64) {
    throw new HostError('invalid_option', `maxInstances: expected a whole number from 1 to 64, got ${maxInstances}`);
  }
  if (publicUrl !== undefined && !/^https?:\/\//.test(publicUrl)) {
    throw new HostError('invalid_option', `publicUrl: expected an address with http:// or https://, got ${publicUrl}`);
  }
  for (const prefix of Object.keys(mounts)) {
    if (!prefix.startsWith('/')) throw new HostError('invalid_option', `mounts: expected a path that begins with /, got ${prefix}`);
  }
}

function stopListening(server: Server): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve());
  });
}
