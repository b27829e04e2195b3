import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { onTestFinished } from 'vitest';
import type { Target } from '../../../lib/deployer/functions-api.ts';

/** One request as it arrived. */
export interface Recorded {
  readonly method: string;
  readonly path: string;
  readonly authorization: string | undefined;
  readonly body: Body;
  /** The body as it came. */
  readonly raw: Buffer;
}

/** A request body of the REST API, as far as tests look into it. */
export interface Body {
  readonly parameters?: readonly { readonly key: string; readonly value: unknown; readonly init?: boolean }[];
  readonly annotations?: readonly { readonly key: string; readonly value: unknown }[];
  readonly exec?: {
    readonly code: string;
    readonly binary: boolean;
    readonly kind: string;
    readonly main?: string;
    readonly components?: readonly string[];
  };
  readonly limits?: Readonly<Record<string, number>>;
  readonly publish?: boolean;
  readonly binding?: unknown;
  /** Of a trigger. */
  readonly name?: string;
  readonly [more: string]: unknown;
}

export interface HostSettings {
  readonly kinds?: readonly string[];
  readonly namespace?: string;
  /** Takes this for the credentials of triggers, instead of the key. */
  readonly accessToken?: string;
  /** Answers what it takes for its own, before anything else is asked; null otherwise. */
  readonly serve?: (request: Recorded) => Promise<{ readonly status: number; readonly body: unknown } | null>;
  /** Answers with this status and an error instead, where it is a number. */
  readonly refuse?: (method: string, path: string) => number | null;
}

/** A stand-in for a host that keeps what is put, counts versions as the platform does, and records every request. */
export interface RecordingHost extends Target {
  readonly requests: readonly Recorded[];
  readonly puts: () => readonly string[];
  readonly put: (name: string) => Body;
  /** The triggers that are there, by name. */
  readonly triggers: Map<string, Body>;
  /** Forgets everything that was put and recorded. */
  readonly forget: () => void;
  readonly forgetRequests: () => void;
}

export const KEY = 'b0f7ae36-0000-4000-8000-000000000001:secret:with:colons';

/** Starts a recording host on a free port; it ends with the test. */
export async function recordingHost(settings: HostSettings = {}): Promise<RecordingHost> {
  const requests: Recorded[] = [];
  const entities = new Map<string, { version: number; body: Body }>();
  const triggers = new Map<string, Body>();
  const server = createServer(async (request, response) => {
    const recorded = await record(request);
    requests.push(recorded);
    const { status, body } = (await settings.serve?.(recorded)) ?? answer(recorded, { entities, triggers }, settings);
    response.writeHead(status, { 'content-type': 'application/json' }).end(body === null ? '' : JSON.stringify(body));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  // A server that listens on TCP has an address with a port.
  const { port } = server.address() as AddressInfo;
  const written = (): readonly Recorded[] => requests.filter((request) => request.method === 'PUT');
  return {
    apihost: `http://127.0.0.1:${port}`,
    auth: KEY,
    requests,
    triggers,
    puts: () => written().map((request) => request.path.replace('/api/v1/namespaces/_/', '').replace('?overwrite=true', '')),
    put: (name) => {
      const found = written().findLast((request) => request.path.startsWith(`/api/v1/namespaces/_/${name}?`));
      if (found === undefined) throw new Error(`nothing was put at ${name}, only at ${written().map((request) => request.path)}`);
      return found.body;
    },
    forget: () => {
      entities.clear();
      requests.length = 0;
    },
    forgetRequests: () => {
      requests.length = 0;
    },
  };
}

async function record(request: IncomingMessage): Promise<Recorded> {
  const raw = await buffer(request);
  const isJson = request.headers['content-type'] === 'application/json';
  return {
    method: request.method ?? '',
    path: request.url ?? '',
    authorization: request.headers.authorization,
    // The tests send nothing but bodies of the REST API.
    body: isJson ? (JSON.parse(raw.toString()) as Body) : {},
    raw,
  };
}

interface Kept {
  readonly entities: Map<string, { version: number; body: Body }>;
  readonly triggers: Map<string, Body>;
}

function answer(request: Recorded, { entities, triggers }: Kept, settings: HostSettings): { status: number; body: unknown } {
  const { method, path } = request;
  const refused = settings.refuse?.(method, path) ?? null;
  if (refused !== null) return { status: refused, body: { error: `refused with ${refused}`, code: 'tid' } };
  if (path === '/api/v1')
    return { status: 200, body: { runtimes: { nodejs: kinds(settings), python: [{ kind: 'python:3.11', default: true }] } } };
  if (path.startsWith('/v2/')) return triggerAnswer(request, triggers, settings);
  if (request.authorization !== `Basic ${Buffer.from(KEY).toString('base64')}`)
    return { status: 401, body: { error: 'The supplied authentication is invalid' } };
  if (path === '/api/v1/namespaces') return { status: 200, body: [settings.namespace ?? 'fn-test'] };
  const key = path.split('?')[0] ?? '';
  const former = entities.get(key);
  if (method === 'GET' && isList(key)) return { status: 200, body: listed(key, entities) };
  if (method === 'DELETE' && entities.delete(key)) return { status: 200, body: {} };
  if (method !== 'PUT')
    return former === undefined
      ? { status: 404, body: { error: 'The requested resource does not exist.' } }
      : { status: 200, body: shown(former) };
  const entity = { version: (former?.version ?? 0) + 1, body: { ...former?.body, ...request.body } };
  entities.set(key, entity);
  return { status: 200, body: shown(entity) };
}

const isList = (key: string): boolean => /\/(packages|actions|actions\/[^/]+\/)$/.test(key);

function listed(key: string, entities: Kept['entities']): unknown {
  const collection = key.endsWith('/') ? key : `${key}/`;
  return [...entities.keys()]
    .filter((name) => name.startsWith(collection))
    .map((name) => {
      const parts = name.split('/').slice(6).map(decodeURIComponent);
      return { name: parts.at(-1), namespace: ['fn-test', ...parts.slice(0, -1)].join('/') };
    });
}

function triggerAnswer({ method, path, authorization, body }: Recorded, triggers: Map<string, Body>, settings: HostSettings) {
  const { accessToken, namespace = 'fn-test' } = settings;
  const expected = accessToken === undefined ? `Basic ${Buffer.from(KEY).toString('base64')}` : `Bearer ${accessToken}`;
  if (authorization !== expected) return { status: 401, body: { id: 'unauthorized', message: 'Unable to authenticate you' } };
  const collection = `/v2/functions/namespaces/${namespace}/triggers`;
  if (method === 'GET' && path === collection) return { status: 200, body: { triggers: [...triggers.values()] } };
  if (method === 'POST' && path === collection) {
    triggers.set(body.name ?? '', body);
    return { status: 200, body: { trigger: body } };
  }
  const name = decodeURIComponent(path.slice(collection.length + 1));
  const isThere = method === 'DELETE' && triggers.delete(name);
  return isThere ? { status: 204, body: null } : { status: 404, body: { id: 'not_found', message: 'not found' } };
}

function shown({ version, body }: { version: number; body: Body }): unknown {
  const limits = { timeout: 3000, memory: 256, logs: 16, concurrency: 1, ...body.limits };
  return { ...body, version: `0.0.${version}`, namespace: 'fn-test/p', limits };
}

function kinds(settings: HostSettings): unknown {
  const names = settings.kinds ?? ['nodejs:24', 'nodejs:22', 'nodejs:18'];
  return names.map((kind, index) => ({ kind, default: index === 0, deprecated: false }));
}
