import { request as httpRequest } from 'node:http';
import { type EmulatorOptions, startEmulator } from '../../lib/emulator/start-emulator.ts';

/** What JSON.parse gives: tests read freely from it, a wrong path shows as undefined. */
export type Json = ReturnType<typeof JSON.parse>;

export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly body: Json;
}

/** An emulator with a client for its first account. */
export interface Platform extends AsyncDisposable {
  readonly url: string;
  readonly token: string;
  call(method: string, path: string, body?: unknown, headers?: Record<string, string>): Promise<Answer>;
  get(path: string): Promise<Answer>;
  post(path: string, body?: unknown): Promise<Answer>;
  put(path: string, body?: unknown): Promise<Answer>;
  del(path: string, body?: unknown): Promise<Answer>;
  /** The same emulator as another account. */
  as(token: string): Platform;
}

/** Starts an emulator whose clock stands still on a Tuesday, so that nothing happens before the test advances it. */
export function frozenPlatform(options: EmulatorOptions = {}): Promise<Platform> {
  return platformOnTuesday(options, {});
}

/** The same with an account that has nothing but itself. */
export function emptyPlatform(options: EmulatorOptions = {}): Promise<Platform> {
  return platformOnTuesday(options, { seed: 'empty' });
}

async function platformOnTuesday(options: EmulatorOptions, birth: Record<string, unknown>): Promise<Platform> {
  const platform = await startPlatform(options);
  await platform.post('/_emulator/clock', { freeze: true, now: '2026-02-10T12:00:00Z' });
  await platform.post('/_emulator/reset', birth);
  return platform;
}

export async function startPlatform(options: EmulatorOptions = {}): Promise<Platform> {
  const emulator = await startEmulator({ limits: { perMinute: 100_000, perHour: 100_000, keyListsPerMinute: 1000 }, ...options });
  return clientOf(emulator.url, emulator.token, () => emulator.close());
}

const JSON_TYPE = { 'content-type': 'application/json' } as const;

/** A client for an emulator that runs elsewhere. */
export function clientOf(url: string, token: string, close: () => Promise<void> = async () => {}): Platform {
  const call: Platform['call'] = async (method, path, body, headers = {}) => {
    const response = await fetch(url + path, {
      method,
      headers: { authorization: `Bearer ${token}`, ...(body === undefined ? {} : JSON_TYPE), ...headers },
      ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    });
    const text = await response.text();
    return { status: response.status, headers: response.headers, body: text === '' ? undefined : JSON.parse(text) };
  };
  return {
    url,
    token,
    call,
    get: (path) => call('GET', path),
    post: (path, body) => call('POST', path, body),
    put: (path, body) => call('PUT', path, body),
    del: (path, body) => call('DELETE', path, body),
    as: (other) => clientOf(url, other),
    [Symbol.asyncDispose]: close,
  };
}

/** A request exactly as written, for targets and headers that fetch would tidy. */
export function rawRequest(
  url: string,
  path: string,
  headers: Record<string, string>,
  method = 'GET',
): Promise<{ status: number; body: string }> {
  return new Promise((resolve, reject) => {
    const { hostname, port } = new URL(url);
    const request = httpRequest({ hostname, port, path, method, headers }, (response) => {
      let body = '';
      response.setEncoding('utf8');
      response.on('data', (chunk: string) => {
        body += chunk;
      });
      response.on('end', () => resolve({ status: response.statusCode ?? 0, body }));
    });
    request.on('error', reject);
    request.end();
  });
}

/** A body for POST /v2/droplets, with changes. */
export function dropletBody(changes: Record<string, unknown> = {}): Record<string, unknown> {
  return { name: 'box', region: 'nyc3', size: 's-1vcpu-1gb', image: 'ubuntu-24-04-x64', ...changes };
}

/** Creates a droplet and lets its creation finish; the clock must stand still. */
export async function activeDroplet(platform: Platform, changes: Record<string, unknown> = {}): Promise<Json> {
  const created = await platform.post('/v2/droplets', dropletBody(changes));
  if (created.status !== 202) {
    throw new Error(`POST /v2/droplets: ${created.status} ${created.body.message}`);
  }
  await platform.post('/_emulator/clock', { advance: '45s' });
  return (await platform.get(`/v2/droplets/${created.body.droplet.id}`)).body.droplet;
}

/** Begins an action and lets it finish; the clock must stand still. */
export async function act(platform: Platform, id: number, body: Record<string, unknown>): Promise<Json> {
  const begun = await platform.post(`/v2/droplets/${id}/actions`, body);
  if (begun.status !== 201) {
    throw new Error(`${String(body.type)}: ${begun.status} ${begun.body.message}`);
  }
  await platform.post('/_emulator/clock', { advance: '60s' });
  return (await platform.get(`/v2/actions/${begun.body.action.id}`)).body.action;
}

/** A rule that forwards http. */
export const HTTP_RULE = { entry_protocol: 'http', entry_port: 80, target_protocol: 'http', target_port: 80 } as const;

/** A body for POST /v2/load_balancers, with changes. */
export function balancerBody(changes: Record<string, unknown> = {}): Record<string, unknown> {
  return { name: 'lb', region: 'nyc3', droplet_ids: [], forwarding_rules: [HTTP_RULE], ...changes };
}

/** What makes that body one of a global load balancer over another one. */
export const worldwide = (target: string): Record<string, unknown> => ({
  name: 'world',
  type: 'GLOBAL',
  region: undefined,
  droplet_ids: undefined,
  target_load_balancer_ids: [target],
  glb_settings: {
    target_protocol: 'http',
    target_port: 80,
    cdn: { is_enabled: true },
    region_priorities: { nyc3: 1 },
    failover_threshold: 50,
  },
  domains: [{ name: 'world.example', is_managed: false }],
});

/** Creates a load balancer and lets it come up; the clock must stand still. */
export async function activeBalancer(platform: Platform, changes: Record<string, unknown> = {}): Promise<Json> {
  const created = await platform.post('/v2/load_balancers', balancerBody(changes));
  if (created.status !== 202) {
    throw new Error(`POST /v2/load_balancers: ${created.status} ${created.body.message}`);
  }
  await platform.post('/_emulator/clock', { advance: '60s' });
  return (await platform.get(`/v2/load_balancers/${created.body.load_balancer.id}`)).body.load_balancer;
}
