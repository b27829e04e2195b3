import type { IncomingHttpHeaders } from 'node:http';
import type { Answer } from '../http/answer.ts';

const defaultHeaders = 'Authorization, Origin, X-Requested-With, Content-Type, Accept, User-Agent';

/** The headers that let pages of any site call a web function, as the platform adds them to every answer. */
export function corsHeaders(headers: IncomingHttpHeaders): Answer['headers'] {
  return {
    'access-control-allow-origin': '*',
    'access-control-allow-methods': 'OPTIONS, GET, DELETE, POST, PUT, HEAD, PATCH',
    'access-control-allow-headers': headers['access-control-request-headers'] ?? defaultHeaders,
  };
}
