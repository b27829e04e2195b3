import { request } from 'node:http';
import { connect as connectTcp, isIP, type LookupFunction, type Socket } from 'node:net';
import { connect as connectTls, type SecureContext, type TLSSocket } from 'node:tls';
import { type Address, addressesOf } from './addresses.ts';
import type { Course } from './course.ts';
import { codeOf, failureOf, ProbeFailure } from './failure.ts';
import type { Outcome, ProbeResult } from './result.ts';

/** What is known of an answer before it is judged. */
interface Answer {
  readonly httpStatus: number | null;
  readonly certificateExpiresAtMs: number | null;
  readonly failure: ProbeFailure | undefined;
}

/**
 * Asks an http or https address for its head and reads no further. Redirects are not followed. A certificate is judged before anything is sent
 * over the connection, and, beside the true time, by `atMs`, the account's. Errors: ProbeAbandoned.
 */
export async function probeHttp(target: string, course: Course, trust: SecureContext, atMs: number): Promise<ProbeResult> {
  const { httpStatus, certificateExpiresAtMs, failure } = await ask(new URL(target), course, trust, atMs);
  const outcome: Outcome = failure?.outcome ?? (isRedirect(httpStatus) ? 'redirect' : 'ok');
  return {
    method: 'http',
    outcome,
    error: failure?.message ?? null,
    httpStatus,
    timings: course.timings(),
    tookMs: httpStatus === null ? null : course.tookMs(),
    certificateExpiresAtMs,
  };
}

async function ask(url: URL, course: Course, trust: SecureContext, atMs: number): Promise<Answer> {
  let certificateExpiresAtMs: number | null = null;
  try {
    const host = url.hostname.replace(/^\[|\]$/g, '');
    const addresses = await course.step('DNS', isIP(host) === 0 ? 'dnsMs' : undefined, () => addressesOf(host));
    let socket = await course.step('connect', 'connectMs', () => opened(host, portOf(url), addresses, course.signal));
    if (url.protocol === 'https:') {
      const secured = await course.step('TLS', 'tlsMs', () => handshaken(socket, host, trust));
      certificateExpiresAtMs = Date.parse(secured.getPeerX509Certificate()?.validTo ?? '') || null;
      refuseCertificate(secured, certificateExpiresAtMs, atMs);
      socket = secured;
    }
    const httpStatus = await course.step('response', 'firstByteMs', () => statusOf(url, socket));
    const failure = httpStatus >= 400 ? new ProbeFailure('status', `HTTP ${httpStatus}`) : undefined;
    return { httpStatus, certificateExpiresAtMs, failure };
  } catch (error) {
    return { httpStatus: null, certificateExpiresAtMs, failure: failureOf(error) };
  }
}

function isRedirect(httpStatus: number | null): boolean {
  return httpStatus !== null && httpStatus >= 300 && httpStatus < 400;
}

function portOf({ port, protocol }: URL): number {
  return port === '' ? (protocol === 'https:' ? 443 : 80) : Number(port);
}

/** Opens a connection to the first of the addresses that takes it; it is closed when the probe is over. */
export function opened(host: string, port: number, addresses: readonly Address[], signal: AbortSignal): Promise<Socket> {
  const known: LookupFunction = (_host, _options, callback) => callback(null, [...addresses]);
  return new Promise((resolve, reject) => {
    const socket = connectTcp({ host, port, lookup: known, autoSelectFamily: true });
    signal.addEventListener('abort', () => socket.destroy(), { once: true });
    // For good: what comes after a step has ended is nobody's error any more.
    socket.on('error', reject);
    socket.once('connect', () => resolve(socket));
  });
}

function handshaken(socket: Socket, host: string, secureContext: SecureContext): Promise<TLSSocket> {
  return new Promise((resolve, reject) => {
    const servername = isIP(host) === 0 ? { servername: host } : {};
    // Whether the certificate is good is asked afterwards: of a bad one, too, it is told when it expires.
    const secured = connectTls({ socket, host, ...servername, secureContext, rejectUnauthorized: false, ALPNProtocols: ['http/1.1'] });
    secured.on('error', (error) => reject(codeOf(error) === 'ECONNRESET' ? error : new ProbeFailure('tls', 'TLS handshake failed')));
    secured.once('secureConnect', () => resolve(secured));
  });
}

/** Errors: ProbeFailure. */
function refuseCertificate(secured: TLSSocket, expiresAtMs: number | null, atMs: number): void {
  const code = String(secured.authorizationError ?? '');
  if (!secured.authorized) {
    throw new ProbeFailure('certificate', CERTIFICATE_FAULTS[code] ?? `certificate is not valid (${code})`);
  }
  if (expiresAtMs !== null && expiresAtMs <= atMs) {
    throw new ProbeFailure('certificate', EXPIRED);
  }
}

const EXPIRED = 'certificate has expired';
const UNKNOWN_AUTHORITY = 'certificate of an unknown authority';

const CERTIFICATE_FAULTS: Readonly<Record<string, string>> = {
  CERT_HAS_EXPIRED: EXPIRED,
  CERT_NOT_YET_VALID: 'certificate is not valid yet',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'certificate is self-signed',
  SELF_SIGNED_CERT_IN_CHAIN: UNKNOWN_AUTHORITY,
  UNABLE_TO_GET_ISSUER_CERT: UNKNOWN_AUTHORITY,
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: UNKNOWN_AUTHORITY,
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: UNKNOWN_AUTHORITY,
  ERR_TLS_CERT_ALTNAME_INVALID: 'certificate is for another name',
};

/** Sends the request; the head of the answer is all that is read. */
function statusOf(url: URL, socket: Socket): Promise<number> {
  return new Promise((resolve, reject) => {
    const sent = request({
      createConnection: () => socket,
      path: `${url.pathname}${url.search}`,
      headers: { host: url.host, 'user-agent': 'deckhand-uptime', accept: '*/*', connection: 'close', ...credentials(url) },
    });
    sent.on('error', reject);
    sent.on('upgrade', (response, upgraded) => {
      upgraded.destroy();
      resolve(response.statusCode ?? 0);
    });
    sent.once('response', (response) => {
      response.on('error', () => undefined);
      response.destroy();
      resolve(response.statusCode ?? 0);
    });
    sent.end();
  });
}

function credentials({ username, password }: URL): Readonly<Record<string, string>> {
  if (username === '' && password === '') {
    return {};
  }
  return { authorization: `Basic ${Buffer.from(`${decoded(username)}:${decoded(password)}`).toString('base64')}` };
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
