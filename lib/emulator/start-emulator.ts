import { chmodSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pause } from './clock.ts';
import { type AccountControls, accountControls, type ControlState, newAccount } from './control/account-controls.ts';
import { controlRoutes } from './control/routes.ts';
import { turns } from './control/turns.ts';
import { hostCheck } from './http/hosts.ts';
import { type RequestLine, requestListener } from './http/listener.ts';
import type { Mounts } from './http/mounts.ts';
import { router } from './http/router.ts';
import { notifierFamily } from './notifiers/family.ts';
import { probeFamily } from './probes/family.ts';
import { type ProberOptions, startProber } from './probes/prober.ts';
import { platformLimits, type RateLimits, rateLimiter } from './rate-limit.ts';
import type { Family } from './resources/family.ts';
import { families, machineryOf } from './resources/registry.ts';
import { populateAccount } from './seed/populate-account.ts';
import { Accounts, type Birth } from './store/accounts.ts';

export type { Incident } from './alerting/incidents.ts';
export type { AccountControls, ClockControls, FaultControls } from './control/account-controls.ts';
export type { MetricControls } from './control/metric-controls.ts';
export type { Moment } from './control/move-clock.ts';
export type { OutboxControls, OutboxNote } from './control/outbox-controls.ts';
export type { FaultDescription } from './control/parse-fault.ts';
export type { ScriptDescription } from './control/parse-script.ts';
export type { BulkKind, Populated, PopulateOrder } from './control/populate/populate.ts';
export type { ProbeControls, SeenProbe } from './control/probe-controls.ts';
export type { RequestQuery, SeenRequest } from './control/seen-requests.ts';
export type { SavedSnapshot, SnapshotControls } from './control/snapshot-controls.ts';
export type { Fault } from './faults.ts';
export type { RequestLine } from './http/listener.ts';
export type { Mounts } from './http/mounts.ts';
export { SmtpUrlError } from './notifiers/mail/smtp-url.ts';
export type { ProberOptions } from './probes/prober.ts';
export type { RateLimits } from './rate-limit.ts';
export type { Script } from './resources/metrics/scripts.ts';
export type { Birth } from './store/accounts.ts';
export { OtherVersionError } from './store/open-database.ts';

export interface EmulatorOptions {
  /** 0, the default, takes any free port. */
  readonly port?: number;
  /** Where account files live, made with mode 0700; without it a temporary directory, removed at close. */
  readonly dataDir?: string;
  /** The bearer of the first account, which is made when it does not exist yet; by default one that stays with the data directory. */
  readonly token?: string;
  /** Divides the duration of actions; 1, the default, is real; 0 completes them with the request that begins them. The clock itself stays true. */
  readonly speed?: number;
  /** Host names that are served beside 127.0.0.1, localhost and [::1]. */
  readonly allowedHosts?: readonly string[];
  readonly limits?: Partial<RateLimits>;
  readonly onRequest?: (line: RequestLine) => void;
  /** What answers below a path in the emulator's place, with its own authentication: `/v2/functions` is a functions host's. */
  readonly mounts?: Mounts;
  /** Where mail is handed in, like `smtp://user:password@mail.example.com:587?from=alerts@example.com`; without it mail stays in the outbox. */
  readonly smtpUrl?: string;
  /** Origins that the redirect of a chat webhook may lead to though their addresses are private. */
  readonly allowedOrigins?: readonly string[];
  /** Has uptime checks really send probes. Without it none leaves, and the states of checks rest at CHECKING. */
  readonly probes?: boolean | ProberOptions;
  /** Families of resources beside the emulator's own. */
  readonly families?: readonly Family[];
}

/** An emulator that runs, and what can be done to its first account beside the platform's API. */
export interface Emulator extends AccountControls, AsyncDisposable {
  /** Where the platform's API is, without a slash at its end. */
  readonly url: string;
  readonly port: number;
  /** Makes an account of its own, believable or empty, and gives its controls. */
  account(birth?: Birth['seed'] | Partial<Birth>): AccountControls;
  close(): Promise<void>;
}

/** Starts an emulator of the platform's REST API on 127.0.0.1. Errors: a port or data directory that is taken, a data directory of another version, a speed below 0, an unreadable smtpUrl. */
export async function startEmulator(options: EmulatorOptions = {}): Promise<Emulator> {
  const speed = options.speed ?? 1;
  if (!Number.isFinite(speed) || speed < 0) {
    throw new Error(`speed: expected a number from 0, got ${speed}`);
  }
  const prober = options.probes ? startProber(options.probes === true ? {} : options.probes) : undefined;
  const all = [...families, ...(prober ? [probeFamily(prober)] : []), notifierFamily(options), ...(options.families ?? [])];
  const routes = router(all.flatMap((family) => family.routes));
  const limits = { ...platformLimits, ...options.limits };
  const home = openHome(options.dataDir);
  const accounts = new Accounts({
    dataDir: home.dataDir,
    machinery: machineryOf(all),
    speed,
    limits,
    populate: populateAccount(all),
    token: options.token,
  });

  const state: ControlState = { accounts, turns: turns() };
  const server = createServer(
    // What is mounted may wait for the end of a request that has no body; nothing here does.
    { optimizeEmptyRequests: options.mounts === undefined },
    requestListener({
      ...state,
      routes,
      control: router(controlRoutes),
      strangers: rateLimiter(limits),
      hostAllowed: hostCheck(options.allowedHosts ?? []),
      onRequest: options.onRequest,
      mounts: options.mounts ?? {},
    }),
  );
  server.keepAliveTimeout = KEEP_ALIVE_MS;
  let closing: Promise<void> | undefined;
  const close = (): Promise<void> => {
    prober?.close();
    closing ??= stop(server).then(async () => {
      // What is just leaving arrives, so that nobody has to find out later whether it did.
      await Promise.race([accounts.quiet(), pause(LAST_WORDS_MS)]);
      accounts.close();
      home.remove();
    });
    return closing;
  };
  try {
    const port = await listen(server, options.port ?? 0);
    void accounts.wakeAll();
    return {
      ...accountControls(state, accounts.firstToken),
      url: `http://127.0.0.1:${port}`,
      port,
      account: (birth = {}) => newAccount(state, typeof birth === 'string' ? { seed: birth } : birth),
      close,
      [Symbol.asyncDispose]: close,
    };
  } catch (error) {
    await close();
    throw error;
  }
}

/** Longer than the clients' idle connections last, so that none is closed under a request on its way. */
const KEEP_ALIVE_MS = 65_000;
const LAST_WORDS_MS = 2000;

function openHome(dataDir: string | undefined): { readonly dataDir: string; readonly remove: () => void } {
  if (dataDir === undefined) {
    const temporary = mkdtempSync(join(tmpdir(), 'deckhand-emulator-'));
    return { dataDir: temporary, remove: () => rmSync(temporary, { recursive: true, force: true }) };
  }
  mkdirSync(dataDir, { recursive: true, mode: 0o700 });
  chmodSync(dataDir, 0o700);
  return { dataDir, remove: () => undefined };
}

function listen(server: Server, port: number): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, '127.0.0.1', () => {
      server.removeListener('error', reject);
      const address = server.address();
      resolve(typeof address === 'object' && address !== null ? address.port : port);
    });
  });
}

function stop(server: Server): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve());
    server.closeAllConnections();
  });
}
