import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';

/** The id a request goes by: the client's own `x-request-id` where it is a plain one, else a new one of 32 hexadecimal digits. */
export function requestIdOf(request: IncomingMessage): string {
  const given = request.headers['x-request-id'];
  return typeof given === 'string' && /^[\w.-]{1,128}$/.test(given) ? given : randomUUID().replaceAll('-', '');
}
