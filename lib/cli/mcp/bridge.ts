import { setTimeout as pause } from 'node:timers/promises';
import type { Endpoint } from './endpoint.ts';
import { errorLine, headersOf, isRecord, type Message, messageIn, replyLine } from './messages.ts';

/** Nobody answered a request. */
class NoAnswer extends Error {
  /** It cannot have arrived. */
  readonly refused: boolean;

  constructor(origin: string, failure: unknown) {
    const cause = failure instanceof Error && failure.cause instanceof Error ? failure.cause : failure;
    const refused = cause instanceof Error && 'code' in cause && cause.code === 'ECONNREFUSED';
    const reason = cause instanceof Error ? cause.message : String(cause);
    const outcome = refused ? 'nothing happened' : 'what was called may or may not have happened, so look before you repeat it';
    super(`no answer came from ${origin} (${reason}); ${outcome}`, { cause: failure });
    this.name = 'NoAnswer';
    this.refused = refused;
  }
}

const noticeMs = 100;

/** What a bridge stands between. */
export interface Sides {
  /** The messages of the client, one a line. */
  readonly lines: AsyncIterable<string>;
  readonly write: (line: string) => void;
  /** Asked for before each message, since it may have to be found anew. */
  readonly endpoint: () => Promise<Endpoint>;
}

/**
 * Carries MCP between a client that speaks over stdio and a router that is reached over HTTP (basic/transports/stdio and streamable-http): each line is a
 * request of its own, answered when its answer is there. Resolves when the lines have ended and everything is answered.
 */
export async function bridge({ lines, write, endpoint }: Sides): Promise<void> {
  const underWay = new Map<unknown, AbortController>();
  const pending = new Set<Promise<void>>();
  let revision: string | undefined;

  const exchange = async (line: string, message: Message, signal: AbortSignal) => {
    const headers = headersOf(message, revision);
    try {
      return await sendOn(line, headers, await endpoint(), signal);
    } catch (failure) {
      if (!(failure instanceof NoAnswer) || signal.aborted || !(failure.refused || isHarmless(message))) throw failure;
      // What was there may have just ended; give the endpoint the time to notice.
      await pause(noticeMs);
      return sendOn(line, headers, await endpoint(), signal);
    }
  };

  const answer = async (line: string, message: Message) => {
    const id = isRecord(message) ? message.id : undefined;
    const aborter = new AbortController();
    if (id !== undefined) underWay.set(id, aborter);
    try {
      const reply = await exchange(line, message, aborter.signal);
      if (isRecord(message) && message.method === 'initialize') revision = revisionIn(reply) ?? revision;
      const text = reply === undefined ? undefined : replyLine(reply, id);
      if (text !== undefined) write(text);
    } catch (failure) {
      // The client wants no answer any more.
      if (aborter.signal.aborted) return;
      const told = errorLine(id, failure instanceof Error ? failure.message : String(failure));
      if (id !== undefined || Array.isArray(message)) write(told);
    } finally {
      underWay.delete(id);
    }
  };

  for await (const line of lines) {
    if (line.trim() === '') continue;
    const message = messageIn(line);
    if (message === undefined) {
      write(errorLine(null, 'the line is not JSON', -32700));
      continue;
    }
    if (isRecord(message) && message.method === 'notifications/cancelled') {
      underWay.get(isRecord(message.params) ? message.params.requestId : undefined)?.abort();
      continue;
    }
    const answered = answer(line, message).finally(() => pending.delete(answered));
    pending.add(answered);
    // What follows depends on the revision that a handshake settles.
    if (isRecord(message) && message.method === 'initialize') await answered;
  }
  await Promise.all(pending);
}

/** Whether a message can be sent twice: whatever calls no tool changes nothing. */
function isHarmless(message: Message): boolean {
  return isRecord(message) && message.method !== 'tools/call';
}

/** The router's answer; undefined where it has none to give. */
async function sendOn(
  line: string,
  headers: Readonly<Record<string, string>>,
  { url, token }: Endpoint,
  signal: AbortSignal,
): Promise<string | undefined> {
  const request = { method: 'POST', body: line, headers: { ...headers, authorization: `Bearer ${token}` }, signal };
  const { status, text } = await answerTo(url, request);
  if (text === '' && status >= 200 && status < 300) return undefined;
  if (messageIn(text) !== undefined) return text;
  throw new Error(`${new URL(url).origin} answered ${status} with something that is no message of MCP`);
}

/** The whole answer to a request. Throws NoAnswer, also for one that breaks off. */
async function answerTo(url: string, request: RequestInit): Promise<{ readonly status: number; readonly text: string }> {
  try {
    const response = await fetch(url, request);
    return { status: response.status, text: await response.text() };
  } catch (failure) {
    throw new NoAnswer(new URL(url).origin, failure);
  }
}

/** The revision that a handshake came to. */
function revisionIn(reply: string | undefined): string | undefined {
  const answer = reply === undefined ? undefined : messageIn(reply);
  const result = isRecord(answer) && isRecord(answer.result) ? answer.result : {};
  return typeof result.protocolVersion === 'string' ? result.protocolVersion : undefined;
}
