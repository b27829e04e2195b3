import { mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, onTestFinished, vi } from 'vitest';
import type { ActivationRecord } from '../../../lib/host/activations/activation-record.ts';
import { type Host, type HostOptions, startHost } from '../../../lib/host/start-host.ts';

/** As long as a call and a cold start may take on a busy machine. */
const recordTimeoutMs = 20_000;

/** What a test deploys: source text, or a zip as a Buffer. `web` is off, on, or raw; default on. */
export interface TestFunction {
  readonly code: string | Buffer;
  readonly kind?: string;
  readonly main?: string;
  readonly web?: boolean | 'raw';
  readonly annotations?: Readonly<Record<string, unknown>>;
  readonly parameters?: readonly { readonly key: string; readonly value: unknown; readonly init?: boolean }[];
  readonly limits?: { readonly timeout?: number; readonly memory?: number; readonly logs?: number };
}

/** A reply of the API, its body parsed. */
export interface Reply {
  readonly status: number;
  readonly headers: Headers;
  // biome-ignore lint/suspicious/noExplicitAny: tests look into bodies of every shape
  readonly body: any;
}

/** A running host and a few words to talk to it over HTTP. */
export interface TestHost extends Host {
  readonly dataDir: string;
  /** Calls the API under `/api/v1/namespaces/_/`, with credentials. */
  api(method: string, path: string, body?: unknown): Promise<Reply>;
  /** Deploys `package/name`, making the package if need be. */
  deploy(fullName: string, code: TestFunction | string | Buffer): Promise<Reply>;
  /** Requests a web function: `web('p/f/path?query')`. */
  web(path: string, init?: RequestInit): Promise<Response>;
  /** Invokes and waits: the activation record. */
  invoke(fullName: string, inputs?: unknown): Promise<ActivationRecord>;
  /** The record of an activation that was answered a moment ago. */
  activation(id: string | null): Promise<ActivationRecord>;
}

/** A directory that is gone after the test. */
export function tempDir(): string {
  const directory = realpathSync(mkdtempSync(join(tmpdir(), 'deckhand-test-')));
  onTestFinished(() => rmSync(directory, { recursive: true, force: true }));
  return directory;
}

/** Starts a host that ends with the test, and holds nobody to a number of calls a minute unless it is asked to. */
export async function testHost(options: Partial<HostOptions> = {}): Promise<TestHost> {
  const dataDir = options.dataDir ?? tempDir();
  const host = await startHost({ callsPerMinute: Number.POSITIVE_INFINITY, ...options, dataDir });
  onTestFinished(() => host.close());
  return talkTo(host, dataDir);
}

/** Starts a host for all tests of a `describe`; what each deploys is gone after it. Returns the way to it, for inside the tests. */
export function sharedHost(options: Partial<HostOptions> = {}): () => TestHost {
  const dataDir = realpathSync(mkdtempSync(join(tmpdir(), 'deckhand-test-')));
  let host: TestHost | undefined;
  beforeAll(async () => {
    host = talkTo(await startHost({ callsPerMinute: Number.POSITIVE_INFINITY, ...options, dataDir }), dataDir);
  });
  afterEach(async () => {
    const { body } = (await host?.api('GET', 'actions?limit=200')) ?? { body: [] };
    for (const { namespace, name } of body) {
      const [, packageName] = namespace.split('/');
      await host?.api('DELETE', `actions/${packageName === undefined ? '' : `${packageName}/`}${name}`);
    }
  });
  afterAll(async () => {
    await host?.close();
    rmSync(dataDir, { recursive: true, force: true });
  });
  return () => {
    if (!host) throw new Error('the host is there for the tests, not before');
    return host;
  };
}

/** Wraps a host, in this process or another, in the words above. */
export function talkTo(host: Host, dataDir: string): TestHost {
  const authorization = `Basic ${Buffer.from(host.auth).toString('base64')}`;

  async function api(method: string, path: string, body?: unknown): Promise<Reply> {
    const response = await fetch(`${host.url}/api/v1/namespaces/_/${path}`, {
      method,
      headers: { authorization, 'content-type': 'application/json' },
      ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    });
    const text = await response.text();
    return { status: response.status, headers: response.headers, body: text === '' ? undefined : JSON.parse(text) };
  }

  async function deploy(fullName: string, given: TestFunction | string | Buffer): Promise<Reply> {
    const test = typeof given === 'string' || Buffer.isBuffer(given) ? { code: given } : given;
    const [packageName = '', name] = fullName.split('/');
    if (name !== undefined) await api('PUT', `packages/${packageName}?overwrite=true`, {});
    return api('PUT', `actions/${fullName}?overwrite=true`, actionBody(test));
  }

  async function invoke(fullName: string, inputs: unknown = {}): Promise<ActivationRecord> {
    const { body } = await api('POST', `actions/${fullName}?blocking=true`, inputs);
    return body;
  }

  function activation(id: string | null): Promise<ActivationRecord> {
    // A record is complete a moment after the answer, when the run's output is in; where nobody waited for the answer, a cold start later.
    const read = async (): Promise<ActivationRecord> => {
      const { status, body } = await api('GET', `activations/${id}`);
      if (status !== 200) throw new Error(`no record of activation ${id}`);
      return body;
    };
    return vi.waitFor(read, { timeout: recordTimeoutMs, interval: 10 });
  }

  function web(path: string, init?: RequestInit): Promise<Response> {
    const full = path.split(/[/?]/).length > 1 && path.includes('/') ? path : `default/${path}`;
    return fetch(`${host.url}/api/v1/web/${host.namespace}/${full}`, { redirect: 'manual', ...init });
  }

  return { ...host, dataDir, api, deploy, web, invoke, activation };
}

/** The body of the request that deploys a function. */
export function actionBody({ code, kind = 'nodejs:24', main, web = true, annotations = {}, parameters, limits }: TestFunction): object {
  const webAnnotations = { 'web-export': web !== false, 'raw-http': web === 'raw' };
  return {
    exec: { kind, code: typeof code === 'string' ? code : code.toString('base64'), ...(main !== undefined && { main }) },
    annotations: Object.entries({ ...webAnnotations, ...annotations }).map(([key, value]) => ({ key, value })),
    ...(parameters && { parameters }),
    ...(limits && { limits }),
  };
}
