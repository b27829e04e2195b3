import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { findPackageJSON } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join, relative } from 'node:path';
import manifest from '../../../package.json' with { type: 'json' };
import { deployProject } from '../../deployer/deploy-project.ts';
import { readProject } from '../../deployer/read-project.ts';
import { type Emulator, OtherVersionError, SmtpUrlError, startEmulator } from '../../emulator/start-emulator.ts';
import { deferred } from '../../host/activations/deferred.ts';
import { type EnvironmentOf, type Host, startHost } from '../../host/start-host.ts';
import { CliError } from '../cli-error.ts';
import { untilInterrupted } from '../until-interrupted.ts';
import { buildSlice } from './build-slice.ts';
import { madeDataDir } from './data-dir.ts';
import { hookSettings } from './hook-settings.ts';
import { ensureSettingsFile, localSettings, localToken } from './local-settings.ts';
import { portOwner } from './port-owner.ts';
import { type Circumstances, readyBlock } from './ready-block.ts';
import { requestLine } from './request-line.ts';
import { findRunning, forgetRunning, noteRunning, type Running, whenEnded } from './running.ts';
import type { Ready, StartOptions } from './start-options.ts';
import { countUsers, stay } from './users.ts';

const root = dirname(findPackageJSON(import.meta.url) ?? '');
/** Where the functions are: in a clone they are built from its sources, in the package they lie as they are deployed. */
const shipped = join(root, 'dist/functions');
const isPackage = !existsSync(join(root, 'lib'));
/** The function that is served at the root of the host. */
const ROUTER = 'gateway/router';

/**
 * Starts emulator and host, deploys this project into the host by the same way as to the real platform, prints how to use it, and stays until it
 * is told to end. Where an installation already runs on the data directory, its block is printed and nothing is started.
 *
 * @throws CliError a port is taken by another program, the state is of another version, or a function could not be deployed.
 */
export async function runStart(options: StartOptions): Promise<void> {
  const dataDir = openDataDir(options);
  const running = options.ephemeral ? undefined : await findRunning(dataDir);
  if (running && (await goesOn(running, options))) {
    print(options, running.ready, { ...running.circumstances, tookMs: undefined });
    return;
  }
  if (running) await whenEnded(dataDir);
  // The block comes first: what is asked of the functions on the way to it is nobody's request.
  let announced = false;
  const installation = await startInstallation(options, dataDir, (line) => {
    if (announced && !options.json) process.stdout.write(line);
  });
  const users = options.whileUsed ? await countUsers() : undefined;
  try {
    const ending = users ? Promise.race([untilTold(), users.gone]) : untilTold();
    const { ready, confirm } = await deploy(options, dataDir, installation);
    const circumstances = {
      emulator: installation.emulator !== undefined,
      toolCount: await countTools(ready),
      hooks: await hookStates(ready),
      confirm,
      tookMs: performance.now(),
      ...(!options.ephemeral && { state: `${relative(process.cwd(), dataDir) || '.'}/` }),
    };
    noteRunning(dataDir, { ready, circumstances, ...(users && { users: users.port }) });
    print(options, ready, circumstances);
    announced = true;
    await ending;
  } finally {
    users?.close();
    await installation.close();
    forgetRunning(dataDir);
    if (options.ephemeral) rmSync(dataDir, { recursive: true, force: true });
  }
}

/** Whether an installation that was found will be there: one that ends with its users is told to stay for whoever started it again. */
async function goesOn({ users }: Running, { whileUsed }: StartOptions): Promise<boolean> {
  return users === undefined || whileUsed || stay(users);
}

interface Installation {
  readonly emulator?: Emulator;
  readonly host: Host;
  /** Tells the host what settings the functions have here; until then nobody's call reaches one. */
  settle(environmentOf: EnvironmentOf): void;
  close(): Promise<void>;
}

async function startInstallation(options: StartOptions, dataDir: string, tell: (line: string) => void): Promise<Installation> {
  const allowedHosts = [...options.allowHost, ...(options.publicUrl ? [new URL(options.publicUrl).hostname] : [])];
  const token = localToken(dataDir);
  const { promise: environmentOf, resolve: settle } = deferred<EnvironmentOf>();
  const host = await onPort(options.port, '--port', () =>
    startHost({
      port: options.port,
      dataDir: join(dataDir, 'host'),
      mounts: { '/': ROUTER, '/hooks': 'gateway/hooks' },
      allowedHosts,
      apiToken: token,
      environmentOf,
      remoteBuild: buildSlice,
      ...(options.publicUrl && { publicUrl: options.publicUrl }),
      onActivation: (activation) => tell(requestLine(activation)),
      onProgress: (line) => process.stderr.write(`${line}\n`),
    }),
  );
  if (options.platformUrl !== undefined) return { host, settle, close: () => host.close() };
  try {
    const emulator = await onPort(options.platformPort, '--platform-port', () =>
      startEmulator({
        port: options.platformPort,
        dataDir: join(dataDir, 'emulator'),
        token,
        speed: options.speed,
        allowedHosts,
        probes: !options.offline,
        // The platform serves it beside everything else.
        mounts: { '/v2/functions': host.handle },
        // A chat webhook may lead to a hook of ours.
        allowedOrigins: [host.url, ...(options.publicUrl ? [new URL(options.publicUrl).origin] : [])],
        ...(process.env.SMTP_URL && { smtpUrl: process.env.SMTP_URL }),
      }),
    );
    return {
      emulator,
      host,
      settle,
      async close() {
        await host.close();
        await emulator.close();
      },
    };
  } catch (failure) {
    await host.close();
    throw failure;
  }
}

/** What was deployed: how it is reached, and what it asks confirmation of. */
interface Deployed {
  readonly ready: Ready;
  readonly confirm: string;
}

async function deploy(options: StartOptions, dataDir: string, { emulator, host, settle }: Installation): Promise<Deployed> {
  if (!isPackage) await buildFunctions();
  const token = localToken(dataDir);
  const platform = {
    platformUrl: options.platformUrl ?? emulator?.url ?? '',
    platformToken: emulator ? undefined : options.platformToken,
    token,
    storeFile: join(dataDir, 'store.sqlite'),
  };
  const folder = isPackage ? shipped : root;
  const project = readProject(folder);
  const environmentOf = localSettings(project, platform, hookSettings(join(folder, 'hooks.yml'), platform));
  settle(environmentOf);
  const outcome = await deployProject(project, { apihost: host.url, auth: host.auth }, { build: 'never', incremental: true });
  const problems = [
    ...outcome.failed.map(({ name, error }) => `${name}: ${error}`),
    ...outcome.skipped.map(({ name, reason }) => `${name}: ${reason}`),
  ];
  if (problems.length > 0) throw new CliError(`not everything could be deployed:\n  ${problems.join('\n  ')}`);
  const router = options.publicUrl ?? host.url;
  const ready: Ready = {
    ready: true,
    version: manifest.version,
    pid: process.pid,
    router,
    mcp: `${router}/mcp`,
    tools: `${router}/tools`,
    hooks: `${router}/hooks`,
    functions: Object.fromEntries(outcome.deployed.map(({ name, url }) => [name, url])),
    token,
    platform: platform.platformUrl,
    apihost: host.url,
    auth: host.auth,
    namespace: host.namespace,
  };
  return { ready, confirm: environmentOf(ROUTER, project.packages[0]?.environment ?? {}).CONFIRM || 'destructive' };
}

async function buildFunctions(): Promise<void> {
  const { buildAll, Refused } = await import('../../../build/bundle.ts');
  try {
    await buildAll(root);
  } catch (failure) {
    throw failure instanceof Refused ? new CliError(failure.message, { cause: failure }) : failure;
  }
  ensureSettingsFile(root);
}

/** Asks the router itself, which also shows that it answers, and leaves it warm for the first call. */
async function countTools({ apihost }: Ready): Promise<number> {
  const answer = await fetch(`${apihost}/health`);
  const body: unknown = await answer.json();
  if (answer.ok && typeof body === 'object' && body !== null && 'tools' in body && typeof body.tools === 'number') return body.tools;
  throw new CliError(`the router was deployed and does not work: ${apihost}/health answered ${answer.status} ${JSON.stringify(body)}`);
}

/** What the function that webhooks are sent to says of each: ready, or what is missing. */
async function hookStates({ apihost }: Ready): Promise<readonly string[]> {
  const answer = await fetch(`${apihost}/hooks/health`);
  if (!answer.ok) throw new CliError(`the function of the webhooks does not work: ${apihost}/hooks/health answered ${answer.status}`);
  // Safe: this is what the function that was just deployed says of itself.
  const { hooks } = (await answer.json()) as { readonly hooks: readonly { readonly name: string; readonly missing: readonly string[] }[] };
  return hooks.map(({ name, missing }) => `${name} (${missing.length === 0 ? 'ready' : missing.join(', ')})`);
}

function print(options: StartOptions, ready: Ready, circumstances: Circumstances): void {
  process.stdout.write(`${options.json ? JSON.stringify(ready) : readyBlock(ready, circumstances)}\n`);
}

function openDataDir(options: StartOptions): string {
  if (options.ephemeral) return mkdtempSync(join(tmpdir(), 'deckhand-'));
  return madeDataDir(options.data);
}

/** Resolves when the process is told to end. */
function untilTold(): Promise<void> {
  const { signal } = untilInterrupted();
  return new Promise((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }));
}

/** Runs what listens on a port; when another program has it, names that program and the way round it. */
async function onPort<Server>(port: number, flag: string, listen: () => Promise<Server>): Promise<Server> {
  try {
    return await listen();
  } catch (failure) {
    if (failure instanceof OtherVersionError || failure instanceof SmtpUrlError) throw new CliError(failure.message);
    const code = failure instanceof Error && 'code' in failure ? failure.code : undefined;
    if (code !== 'EADDRINUSE' && code !== 'port_in_use') throw failure;
    const owner = portOwner(port);
    throw new CliError(
      `port ${port} is taken${owner ? ` by ${owner}` : ' by another program'}; end that, or start with ${flag} 0 for any free port`,
    );
  }
}
