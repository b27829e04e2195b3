import { version } from '../catalogue/version.ts';
import { ToolError } from '../errors.ts';
import { isBearerToken } from './bearer-token.ts';
import { type PlatformReply, platformError, requestIdOf, retryAfter } from './platform-error.ts';
import type { PlatformRequest } from './request.ts';
import { AnswerBrokenOff, AnswerTooLarge, type Departure, exchange } from './transport.ts';

/** The platform as one call sees it. */
export interface Platform {
  /** Base address, without a slash at its end. */
  readonly url: string;
  readonly token: string;
  /** Aborts when the call's time is up. */
  readonly signal: AbortSignal;
  /** Milliseconds left for the call. */
  remainingMs(): number;
  /** Nothing may be changed by whoever this call is for: what is no GET does not leave. */
  readonly readOnly: boolean;
  /** The trace that the call belongs to, as `traceparent` has it (W3C Trace Context). */
  readonly traceparent?: string;
  /** Told the platform's own id of each request that it answered. */
  heard?(requestId: string): void;
}

const retriedStatuses: ReadonlySet<number> = new Set([429, 502, 503, 504]);
const maxReplyBytes = 8 * 1024 * 1024;
const userAgent = `deckhand/${version}`;

/**
 * Sends a request and returns the reply's body, parsed; undefined where it has none.
 *
 * Reads are repeated while the time lasts: on 429 (when the platform says to come back within it), 502, 503, 504 and a broken connection, after a
 * jittered pause. A write is sent once: as soon as its connection stood, only the platform knows what came of it.
 *
 * @throws ToolError the platform's refusal; `platform_unavailable` when it could not be reached; `deadline_exceeded` when time ran out and nothing
 *   happened; `outcome_unknown` when a write was sent and its answer did not arrive.
 */
export async function send(what: string, request: PlatformRequest, platform: Platform): Promise<unknown> {
  const read = request.method === 'GET';
  // Selection has let no such tool through: that one came this far is a bug, which must not become a change.
  if (platform.readOnly && !read) throw new Error(`${what}: a ${request.method} was about to leave where only reading is allowed`);
  // Nor has anything let such a token through. The HTTP client would keep something of each request that it refuses for it.
  if (!isBearerToken(platform.token)) throw new Error(`${what}: a token was about to leave that no header can carry`);
  for (let attempt = 1; ; attempt++) {
    const departure: Departure = { departed: false };
    const outcome = await attempted(request, platform, departure);
    if ('status' in outcome) {
      const requestId = requestIdOf(outcome);
      if (requestId !== undefined) platform.heard?.(requestId);
      if (outcome.status < 300) return parseReply(what, request, outcome);
      const pauseMs = read && retriedStatuses.has(outcome.status) ? pauseBefore(attempt, outcome) : undefined;
      if (pauseMs !== undefined && (await pause(pauseMs, platform))) continue;
      const error = platformError(what, outcome, Date.now());
      throw !read && mayHaveBeenPassedOn(outcome.status, error) ? outcomeUnknown(what, error) : error;
    }
    if (platform.signal.aborted) throw outOfTime(what, !read && departure.departed);
    if (!read && departure.departed) throw outcomeUnknown(what, outcome.failure);
    if (outcome.failure instanceof AnswerTooLarge)
      throw new ToolError('platform_error', `${what}: the platform's answer is larger than ${maxReplyBytes} bytes`);
    if (read && outcome.failure instanceof AnswerBrokenOff && (await pause(pauseBefore(attempt), platform))) continue;
    throw unreachable(what, platform.url, outcome.failure);
  }
}

/** A gateway between here and the platform gave up on it: what it passed on before may have been done. */
function mayHaveBeenPassedOn(status: number, error: ToolError): boolean {
  return status === 502 || status === 504 || (status === 503 && error.details.platform?.id === undefined);
}

type Outcome = PlatformReply | { readonly failure: unknown };

/** One exchange with the platform. Any status is an outcome; only what breaks the exchange itself is a failure. */
async function attempted(request: PlatformRequest, platform: Platform, departure: Departure): Promise<Outcome> {
  if (platform.signal.aborted) return { failure: new Error('no time was left') };
  const { method, path, body } = request;
  const headers = {
    accept: 'application/json',
    authorization: `Bearer ${platform.token}`,
    'user-agent': userAgent,
    ...(platform.traceparent !== undefined && { traceparent: platform.traceparent }),
    ...(body !== undefined && { 'content-type': 'application/json' }),
  };
  const { url, signal } = platform;
  const outgoing = { url: url + path, method, headers, body: JSON.stringify(body), signal, mostBytes: maxReplyBytes };
  try {
    return await exchange(outgoing, departure);
  } catch (failure) {
    return { failure };
  }
}

function parseReply(what: string, request: PlatformRequest, reply: PlatformReply): unknown {
  if (reply.text.trim() === '') return undefined;
  try {
    return parseJson(reply.text);
  } catch (cause) {
    const excerpt = JSON.stringify(reply.text.slice(0, 60));
    const platform = { status: reply.status };
    // The status says that it was done, so a write must not look as if it had failed.
    const done = request.method === 'GET' ? '' : '; the change was accepted all the same';
    throw new ToolError(
      'platform_error',
      `${what}: the platform answered ${reply.status} with something that is not JSON: ${excerpt}${done}`,
      {
        platform,
        cause,
      },
    );
  }
}

/** A whole number of more digits than a number holds exactly stays the text that it was, so that none is lost on the way. */
function parseJson(text: string): unknown {
  if (!mayHoldWideNumber(text)) return JSON.parse(text);
  const keepDigits = (_: string, value: unknown, context?: { readonly source?: string }) =>
    Number.isInteger(value) && !Number.isSafeInteger(value) && /^-?\d+$/.test(context?.source ?? '') ? context?.source : value;
  return JSON.parse(text, keepDigits);
}

/** Whether somewhere as many digits stand in a row as a safe integer can have. One in so many places is looked at: none can stand between two of them. */
function mayHoldWideNumber(text: string): boolean {
  const digits = 16;
  for (let at = digits - 1; at < text.length; at += digits) {
    if (isDigit(text, at) && /\d{16}/.test(text.slice(at - digits + 1, at + digits))) return true;
  }
  return false;
}

function isDigit(text: string, at: number): boolean {
  const code = text.charCodeAt(at);
  return code >= 0x30 && code <= 0x39;
}

/** Full jitter under a doubling cap; at least what the platform asks for. */
function pauseBefore(attempt: number, reply?: PlatformReply): number {
  const asked = reply && retryAfter(reply, Date.now());
  const jittered = Math.random() * Math.min(4000, 100 * 2 ** attempt);
  return asked === undefined ? jittered : asked + jittered / 4;
}

/** Waits, unless that would leave no time for another exchange. Tells whether it waited. */
async function pause(pauseMs: number, platform: Platform): Promise<boolean> {
  const leastForAnExchangeMs = 50;
  if (pauseMs + leastForAnExchangeMs > platform.remainingMs()) return false;
  await new Promise((resolve) => setTimeout(resolve, pauseMs));
  return true;
}

function outOfTime(what: string, mayHaveHappened: boolean): ToolError {
  if (mayHaveHappened) return outcomeUnknown(what, new Error('the time for this call ran out'));
  return new ToolError('deadline_exceeded', `${what}: the time for this call ran out; nothing was changed`);
}

function outcomeUnknown(what: string, failure: unknown): ToolError {
  return new ToolError(
    'outcome_unknown',
    `${what}: the request was sent and no answer of the platform came (${reasonOf(failure)}); it may or may not have happened, so look before you repeat it`,
    { cause: failure, ...(failure instanceof ToolError && { platform: failure.details.platform }) },
  );
}

function unreachable(what: string, url: string, failure: unknown): ToolError {
  return new ToolError(
    'platform_unavailable',
    `${what}: the platform cannot be reached at ${new URL(url).host} (${reasonOf(failure)}); nothing was changed`,
    {
      cause: failure,
    },
  );
}

/** What stands in parentheses: a code that can be looked up, or words. */
function reasonOf(failure: unknown): string {
  const message = failure instanceof Error ? failure.message : String(failure);
  return codeOf(failure) || message.slice(0, 200) || 'for a reason that is not known';
}

function codeOf(failure: unknown): string {
  const code = typeof failure === 'object' && failure !== null && 'code' in failure ? failure.code : undefined;
  return typeof code === 'string' ? code : '';
}
