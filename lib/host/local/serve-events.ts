import { HostError } from '../host-error.ts';
import type { Streaming } from '../http/answer.ts';
import type { Exchange } from '../http/exchange.ts';
import type { Namespaces } from '../namespaces/namespaces.ts';

/** Where activations are followed: a path of this host's own, which the platform does not have. */
export const eventsPath = '/_local/events';

/**
 * `GET /_local/events[?name=pkg/fn]`: every activation of the caller's namespace as it is recorded, as server-sent events: `event: activation`, `id` the activation's
 * id, `data` its record as the API gives it. A client that comes again with `Last-Event-ID` is first sent what it missed.
 */
export function serveEvents({ request, response, method, query }: Exchange, namespaces: Namespaces): Streaming {
  const { events } = namespaces.authenticate(request.headers.authorization);
  if (method !== 'GET') throw new HostError('method_not_allowed', `${method} is not supported for ${eventsPath}`);
  const name = new URLSearchParams(query).get('name') ?? '';
  const last = request.headers['last-event-id'] ?? '';
  if (typeof last !== 'string' || !/^(?:[0-9a-f]{32})?$/.test(last)) {
    throw new HostError('bad_request', `Last-Event-ID: expected the id of an activation, 32 hexadecimal digits, got ${last}`);
  }
  events.open(response, { ...(name !== '' && { name }), ...(last !== '' && { afterId: last }) });
  return 'streaming';
}
