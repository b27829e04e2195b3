import { z } from 'zod';
import { originOf } from '../../../deployer/api/connection.ts';
import { CliError } from '../../cli-error.ts';
import { asPath } from './function-name.ts';
import { type ApiReply, type ApiRequest, expectBody, send } from './send.ts';
import { type Action, type Activation, action, activation, type HostInfo, hostInfo } from './wire.ts';

/** Which activations; times in milliseconds since the epoch, `name` a function or `package/function`. */
export interface ActivationQuery {
  readonly name?: string;
  readonly since?: number;
  readonly upto?: number;
  readonly limit?: number;
  readonly skip?: number;
  readonly docs?: boolean;
}

/** How a function is invoked: whether its end is awaited, and whether the result alone is wanted. */
export interface InvokeMode {
  readonly blocking: boolean;
  readonly result: boolean;
}

/** The functions REST API of one namespace (platform reference, REST surface). Every call throws an ApiError where it is refused. */
export interface NamespaceClient {
  readonly origin: string;
  /** Value of the Authorization header, for what is not a call of this client. */
  readonly authorization: string;
  readonly info: () => Promise<HostInfo>;
  /** The namespace that the key belongs to. */
  readonly namespace: () => Promise<string>;
  /** The most recently updated first. Without a limit: all there are. */
  readonly functions: (page: { readonly package?: string; readonly limit?: number; readonly skip?: number }) => Promise<readonly Action[]>;
  readonly function: (name: string, withCode: boolean) => Promise<Action>;
  readonly deleteFunction: (name: string) => Promise<void>;
  /** Names of all packages. */
  readonly packages: () => Promise<readonly string[]>;
  readonly deletePackage: (name: string) => Promise<void>;
  /** The reply as it came: a function that failed answers 502, one that takes too long 202. */
  readonly invoke: (name: string, inputs: unknown, mode: InvokeMode) => Promise<ApiReply>;
  /** The newest first. */
  readonly activations: (query: ActivationQuery) => Promise<readonly Activation[]>;
  readonly countActivations: (query: ActivationQuery) => Promise<number>;
  readonly activation: (id: string) => Promise<Activation>;
  readonly logs: (id: string) => Promise<readonly string[]>;
  readonly result: (id: string) => Promise<unknown>;
}

/** The most that one request lists. */
export const PAGE = 200;

/** Longer than the platform waits for a function before it answers 202. */
const INVOKE_TIMEOUT_MS = 90_000;

/** A client for the namespace that the key belongs to. CliError for a key that is none. */
export function namespaceClient({ apihost, auth }: { readonly apihost: string; readonly auth: string }): NamespaceClient {
  if (!auth.includes(':')) throw new CliError('the key has no colon: it is written uuid:key');
  const origin = originOf(apihost);
  const authorization = `Basic ${Buffer.from(auth).toString('base64')}`;
  const own = (path: string): string => `${origin}/api/v1/namespaces/_/${path}`;
  const call = (method: ApiRequest['method'], url: string, more: Partial<ApiRequest> = {}): Promise<ApiReply> =>
    send({ method, url, authorization, ...more });
  const get = async <T>(path: string, shape: z.ZodType<T>): Promise<T> => expectBody(await call('GET', own(path)), shape);
  const remove = async (path: string): Promise<void> => void expectBody(await call('DELETE', own(path)), z.unknown());

  const listFunctions = (packageName: string | undefined, limit: number, skip: number): Promise<readonly Action[]> => {
    const place = packageName === undefined ? 'actions' : `actions/${encodeURIComponent(packageName)}/`;
    return get(`${place}${queryOf({ limit, skip })}`, z.array(action));
  };

  return {
    origin,
    authorization,
    // The platform answers this one without a key, and so it is asked.
    info: async () => expectBody(await send({ method: 'GET', url: `${origin}/api/v1`, authorization: null }), hostInfo),
    namespace: async () => {
      const [name] = expectBody(await call('GET', `${origin}/api/v1/namespaces`), z.tuple([z.string()], z.string()));
      return name;
    },
    functions: ({ package: packageName, limit, skip = 0 }) =>
      limit === undefined ? all((page) => listFunctions(packageName, PAGE, page), skip) : listFunctions(packageName, limit, skip),
    function: (name, withCode) => get(`actions/${asPath(name)}?code=${withCode}`, action),
    deleteFunction: (name) => remove(`actions/${asPath(name)}`),
    packages: async () => {
      const found = await all((skip) => get(`packages${queryOf({ limit: PAGE, skip })}`, z.array(z.looseObject({ name: z.string() }))), 0);
      return found.map(({ name }) => name);
    },
    deletePackage: (name) => remove(`packages/${encodeURIComponent(name)}`),
    invoke: (name, inputs, mode) =>
      call('POST', own(`actions/${asPath(name)}${queryOf({ ...mode })}`), { body: inputs, timeoutMs: INVOKE_TIMEOUT_MS }),
    activations: (query) => get(`activations${queryOf({ ...query })}`, z.array(activation)),
    countActivations: async (query) =>
      (await get(`activations${queryOf({ ...query, count: true })}`, z.looseObject({ activations: z.number() }))).activations,
    activation: (id) => get(`activations/${encodeURIComponent(id)}`, activation),
    logs: async (id) => (await get(`activations/${encodeURIComponent(id)}/logs`, z.looseObject({ logs: z.array(z.string()) }))).logs,
    result: async (id) =>
      (await get(`activations/${encodeURIComponent(id)}/result`, z.looseObject({ result: z.unknown().optional() }))).result,
  };
}

/** Every page of a list, from `skip` on. */
async function all<T>(page: (skip: number) => Promise<readonly T[]>, skip: number): Promise<readonly T[]> {
  const found = await page(skip);
  return found.length < PAGE ? found : [...found, ...(await all(page, skip + PAGE))];
}

function queryOf(fields: Readonly<Record<string, string | number | boolean | undefined>>): string {
  const given = Object.entries(fields).flatMap(([key, value]) =>
    value === undefined ? [] : [[key, String(value)] satisfies [string, string]],
  );
  return given.length === 0 ? '' : `?${new URLSearchParams(given)}`;
}
