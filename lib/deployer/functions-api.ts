import { DeployError } from './deploy-error.ts';
import type { Json } from './project.ts';

/**
 * A host of the functions REST API: its address (`https://` is assumed where the scheme is missing, `http://` for this machine) and the key
 * `uuid:key`.
 */
export interface Target {
  readonly apihost: string;
  readonly auth: string;
}

/** A kind that the host runs. */
export interface Kind {
  readonly kind: string;
  readonly isDefault: boolean;
}

/** A parameter on the wire; with `init` it is a variable of the environment. */
export interface KeyValue {
  readonly key: string;
  readonly value: Json;
  readonly init?: true;
}

/** What the host answers for a package or a function, as far as a deployment asks. */
export interface Deployed {
  readonly version: string;
  readonly annotations: ReadonlyMap<string, unknown>;
  readonly limits: ReadonlyMap<string, unknown>;
}

/**
 * The calls of a deployment (platform reference, REST surface, rows 1, 2, 4, 5, 8, 9). Names are `package` and `package/function`. Each
 * throws a DeployError.
 */
export interface FunctionsApi {
  readonly origin: string;
  readonly kinds: () => Promise<ReadonlyMap<string, readonly Kind[]>>;
  readonly namespaces: () => Promise<readonly string[]>;
  readonly package: (name: string) => Promise<Deployed | null>;
  readonly putPackage: (name: string, body: object) => Promise<Deployed>;
  readonly action: (name: string) => Promise<Deployed | null>;
  readonly putAction: (name: string, body: object) => Promise<Deployed>;
}

const READ_TIMEOUT_MS = 30_000;
const WRITE_TIMEOUT_MS = 300_000;

/** The functions REST API of a host. */
export function functionsApi(target: Target): FunctionsApi {
  const origin = originOf(target.apihost);
  if (!target.auth.includes(':')) throw new DeployError('unauthenticated', 'the key has no colon: it is written uuid:key');
  const authorization = `Basic ${Buffer.from(target.auth).toString('base64')}`;

  const get = (path: string): Promise<Answer> => send(origin, path, { headers: { authorization } }, READ_TIMEOUT_MS);
  const find = async (path: string): Promise<Deployed | null> => {
    const answer = await get(path);
    return answer.status === 404 ? null : deployed(expectSuccess(answer));
  };
  const put = async (path: string, body: object): Promise<Deployed> => {
    const headers = { authorization, 'content-type': 'application/json' };
    return deployed(expectSuccess(await send(origin, path, { method: 'PUT', headers, body: JSON.stringify(body) }, WRITE_TIMEOUT_MS)));
  };

  return {
    origin,
    // The platform answers this one without a key, and so it is asked.
    kinds: async () => kindsOf(expectSuccess(await send(origin, '/api/v1', {}, READ_TIMEOUT_MS))),
    namespaces: async () => namespacesOf(expectSuccess(await get('/api/v1/namespaces'))),
    package: (name) => find(`/api/v1/namespaces/_/packages/${encoded(name)}`),
    putPackage: (name, body) => put(`/api/v1/namespaces/_/packages/${encoded(name)}?overwrite=true`, body),
    action: (name) => find(`/api/v1/namespaces/_/actions/${encoded(name)}?code=false`),
    putAction: (name, body) => put(`/api/v1/namespaces/_/actions/${encoded(name)}?overwrite=true`, body),
  };
}

interface Answer {
  readonly url: string;
  readonly status: number;
  readonly body: unknown;
}

async function send(origin: string, path: string, init: RequestInit, timeoutMs: number): Promise<Answer> {
  const url = `${origin}${path}`;
  try {
    const response = await fetch(url, { ...init, signal: AbortSignal.timeout(timeoutMs) });
    return { url, status: response.status, body: parsed(await response.text()) };
  } catch (error) {
    const reason = error instanceof Error ? reasonOf(error) : String(error);
    throw new DeployError(
      'unreachable',
      `${init.method ?? 'GET'} ${url}: no answer (${reason}): check the address, and that the host is running`,
      { cause: error },
    );
  }
}

function expectSuccess(answer: Answer): Answer {
  const { status, url } = answer;
  if (status >= 200 && status < 300) return answer;
  const said = field(answer.body, 'error') ?? field(answer.body, 'message');
  const words = typeof said === 'string' ? said : 'no reason given';
  if (status === 401 || status === 403)
    throw new DeployError('unauthenticated', `${url}: the host refused the key (${status}, ${words}): check apihost and key`);
  if (status === 413)
    throw new DeployError('too_large', `${url}: too large for the host (${words}): bundle the function, or list less in .include`);
  throw new DeployError('rejected', `${url}: the host answered ${status}: ${words}`);
}

function deployed(answer: Answer): Deployed {
  const version = field(answer.body, 'version');
  if (typeof version !== 'string') throw unexpected(answer, 'an answer with a version');
  const limits = field(answer.body, 'limits');
  return {
    version,
    annotations: keyValues(field(answer.body, 'annotations')),
    limits: new Map(isRecord(limits) ? Object.entries(limits) : []),
  };
}

function kindsOf(answer: Answer): ReadonlyMap<string, readonly Kind[]> {
  const runtimes = field(answer.body, 'runtimes');
  if (!isRecord(runtimes)) throw unexpected(answer, 'runtimes');
  return new Map(
    Object.entries(runtimes).map(([language, kinds]) => {
      if (!Array.isArray(kinds)) throw unexpected(answer, `a list of kinds under runtimes.${language}`);
      return [language, kinds.map((kind) => kindOf(kind, answer))];
    }),
  );
}

function kindOf(value: unknown, answer: Answer): Kind {
  const kind = field(value, 'kind');
  if (typeof kind !== 'string') throw unexpected(answer, 'a kind in every runtime');
  return { kind, isDefault: field(value, 'default') === true };
}

function namespacesOf(answer: Answer): readonly string[] {
  const names: unknown = answer.body;
  if (Array.isArray(names) && names.length > 0 && names.every((name) => typeof name === 'string')) return names;
  throw unexpected(answer, 'a list with a namespace');
}

function keyValues(pairs: unknown): ReadonlyMap<string, unknown> {
  const list: readonly unknown[] = Array.isArray(pairs) ? pairs : [];
  return new Map(list.map((pair) => [String(field(pair, 'key')), field(pair, 'value')]));
}

function unexpected(answer: Answer, expected: string): DeployError {
  return new DeployError('rejected', `${answer.url}: expected ${expected}: is this a functions host?`);
}

function originOf(apihost: string): string {
  const local = /^(localhost|127\.|\[::1\])/.test(apihost);
  const address = apihost.includes('://') ? apihost : `${local ? 'http' : 'https'}://${apihost}`;
  if (!URL.canParse(address)) throw new DeployError('unreachable', `"${apihost}" is no address: write it as https://host`);
  return new URL(address).origin;
}

function encoded(name: string): string {
  return name.split('/').map(encodeURIComponent).join('/');
}

function reasonOf(error: Error): string {
  return error.cause instanceof Error && error.cause.message !== '' ? error.cause.message : error.message;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // An answer that is no JSON comes from something in between; its status still tells.
    return null;
  }
}

function field(value: unknown, name: string): unknown {
  return isRecord(value) ? value[name] : undefined;
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
