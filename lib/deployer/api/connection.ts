import { DeployError } from '../deploy-error.ts';

/** An answer of a host; `body` is null where it was no JSON. */
export interface Answer {
  readonly url: string;
  readonly status: number;
  readonly body: unknown;
}

/** One request: how it shows who asks, and what it carries as JSON. */
export interface Asked {
  readonly method?: 'GET' | 'PUT' | 'POST' | 'DELETE';
  readonly authorization?: string;
  readonly json?: unknown;
}

const READ_TIMEOUT_MS = 30_000;
const WRITE_TIMEOUT_MS = 300_000;

/** Sends a request and reads its answer, whatever the status. Throws `unreachable` where none came. */
export async function send(url: string, asked: Asked = {}): Promise<Answer> {
  const { method = 'GET', authorization, json } = asked;
  const headers = {
    ...(authorization !== undefined && { authorization }),
    ...(json !== undefined && { 'content-type': 'application/json' }),
  };
  return exchange(url, { method, headers, ...(json !== undefined && { body: JSON.stringify(json) }) });
}

/** Puts bytes at an address that knows its caller already. Throws `unreachable` where no answer came. */
export function upload(url: string, content: Buffer): Promise<Answer> {
  // A view of the same bytes: the request takes no Buffer over shared memory, and this is none.
  return exchange(url, { method: 'PUT', headers: { 'content-type': 'application/zip' }, body: new Uint8Array(content) });
}

async function exchange(url: string, init: RequestInit & { readonly method: string }): Promise<Answer> {
  const timeoutMs = init.method === 'GET' ? READ_TIMEOUT_MS : WRITE_TIMEOUT_MS;
  try {
    const response = await fetch(url, { ...init, signal: AbortSignal.timeout(timeoutMs) });
    return { url, status: response.status, body: parsed(await response.text()) };
  } catch (error) {
    const reason = error instanceof Error ? reasonOf(error) : String(error);
    throw new DeployError('unreachable', `${init.method} ${url}: no answer (${reason}): check the address, and that the host is running`, {
      cause: error,
    });
  }
}

/** The answer itself where it tells success; throws a DeployError with the host's words otherwise. */
export function expectSuccess(answer: Answer): Answer {
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

/** The error for an answer of another shape than this API's. */
export function unexpected(answer: Answer, expected: string): DeployError {
  return new DeployError('rejected', `${answer.url}: expected ${expected}: is this a functions host?`);
}

/** The origin of a host's address: `https://` where the scheme is missing, `http://` for this machine. */
export function originOf(apihost: string): string {
  const local = /^(localhost|127(\.\d{1,3}){3}|\[::1\])(?=[:/]|$)/i.test(apihost);
  const address = apihost.includes('://') ? apihost : `${local ? 'http' : 'https'}://${apihost}`;
  if (!URL.canParse(address)) throw new DeployError('unreachable', `"${apihost}" is no address: write it as https://host`);
  return new URL(address).origin;
}

/** The Basic credentials of a key `uuid:key`. */
export function basicAuthorization(auth: string): string {
  if (!auth.includes(':')) throw new DeployError('unauthenticated', 'the key has no colon: it is written uuid:key');
  return `Basic ${Buffer.from(auth).toString('base64')}`;
}

/** A name of several parts as a path. */
export function encodedName(name: string): string {
  return name.split('/').map(encodeURIComponent).join('/');
}

/** A field of a value of unknown shape. */
export function field(value: unknown, name: string): unknown {
  return isRecord(value) ? value[name] : undefined;
}

export function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
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
