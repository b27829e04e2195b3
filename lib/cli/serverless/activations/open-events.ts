import type { NamespaceClient } from '../api/namespace-client.ts';
import { type ApiRequest, refusal, unreachable } from '../api/send.ts';
import { type Activation, activation } from '../api/wire.ts';

/** Which activations, and the last one that is known already. */
export interface EventsQuery {
  readonly name?: string;
  readonly lastId?: string;
}

interface FollowedActivation {
  readonly id: string;
  readonly activation: Activation;
}

/**
 * Opens a host's stream of activations; `unavailable` where the host has none. The stream ends when the connection does. ApiError where the
 * host cannot be reached or refuses.
 */
export async function openEvents(
  client: NamespaceClient,
  { name, lastId }: EventsQuery,
  signal: AbortSignal,
): Promise<AsyncGenerator<FollowedActivation> | 'unavailable'> {
  const query = name === undefined ? '' : `?${new URLSearchParams({ name })}`;
  const request: ApiRequest = { method: 'GET', url: `${client.origin}/_local/events${query}`, authorization: client.authorization };
  const headers = {
    authorization: client.authorization,
    accept: 'text/event-stream',
    ...(lastId !== undefined && { 'last-event-id': lastId }),
  };
  const response = await fetch(request.url, { headers, signal }).catch((error: unknown) => {
    throw unreachable(request, error);
  });
  if (response.ok && response.body && response.headers.get('content-type')?.startsWith('text/event-stream')) {
    return readEvents(response.body, signal);
  }
  await response.body?.cancel();
  if (response.ok || [400, 404, 405].includes(response.status)) return 'unavailable';
  throw (
    refusal({ request, status: response.status, headers: response.headers, body: undefined }) ?? new Error(`no refusal: ${response.status}`)
  );
}

/** The activations of a stream of server-sent events, as the WHATWG has it; other events and comments are passed over. */
async function* readEvents(body: ReadableStream<Uint8Array>, signal: AbortSignal): AsyncGenerator<FollowedActivation> {
  const decoder = new TextDecoder();
  let rest = '';
  try {
    for await (const chunk of body) {
      const events = (rest + decoder.decode(chunk, { stream: true })).split(/\r?\n\r?\n/);
      rest = events.pop() ?? '';
      for (const event of events) {
        const followed = readEvent(event);
        if (followed) yield followed;
      }
    }
  } catch (error) {
    // A connection that breaks is one that ended; whoever follows opens another.
    if (!signal.aborted && !(error instanceof TypeError)) throw error;
  }
}

function readEvent(text: string): FollowedActivation | null {
  const fields = text.split(/\r?\n/).map((line) => /^(\w+): ?(.*)$/.exec(line));
  const fieldOf = (field: string): string => fields.flatMap((match) => (match?.[1] === field ? [match[2] ?? ''] : [])).join('\n');
  if (fieldOf('event') !== 'activation') return null;
  return { id: fieldOf('id'), activation: activation.parse(JSON.parse(fieldOf('data'))) };
}
