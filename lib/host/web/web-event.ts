import { isUtf8 } from 'node:buffer';
import type { IncomingHttpHeaders } from 'node:http';
import type { DeployedAction } from '../functions/deployed-function.ts';
import { HostError } from '../host-error.ts';
import { parseJson } from '../http/read-body.ts';
import { isBinary, isJson, mediaType } from './media-type.ts';

/** A request on its way to a web function. `query` is what followed the `?`, unparsed; `path` what followed the function's segment. */
export interface WebRequest {
  readonly method: string;
  readonly path: string;
  readonly query: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
  readonly requestId: string;
  readonly clientAddress: string;
  readonly scheme: 'http' | 'https';
}

type Fields = Readonly<Record<string, unknown>>;

/**
 * The inputs of a web function (platform reference, web functions): `http`, and for a parsed function the fields of query and body as keys
 * beside it. HostError `bad_request` for a body that is not what its type says, and for fields that a request may not name.
 */
export function webEvent(request: WebRequest, deployed: DeployedAction): Fields {
  const http = { headers: headersFor(request), method: request.method, path: request.path };
  if (deployed.web === 'raw') return { http: { ...http, ...wireBody(request), queryString: request.query } };
  const query = Object.fromEntries(new URLSearchParams(request.query));
  const body = bodyFields(request);
  const fields = { ...query, ...body };
  refuseReserved(fields, deployed.finalKeys);
  // A body that has no fields is not lost: it stays one value.
  return body === undefined ? { ...fields, http: { ...http, ...wireBody(request) } } : { ...fields, http };
}

function headersFor({ headers, requestId, clientAddress, scheme }: WebRequest): Fields {
  const forwarded = headers['x-forwarded-for'];
  const joined = Object.entries(headers).map(([name, value]) => [name, Array.isArray(value) ? value.join(', ') : value]);
  return {
    'accept-encoding': 'gzip',
    'x-forwarded-proto': scheme,
    ...Object.fromEntries(joined),
    'x-forwarded-for': forwarded === undefined ? clientAddress : `${forwarded}, ${clientAddress}`,
    'x-request-id': requestId,
  };
}

/** The body as one string, so that its bytes can be had back exactly. */
function wireBody({ headers, body }: WebRequest): { readonly body: string; readonly isBase64Encoded: boolean } {
  const isBase64Encoded = body.length > 0 && (isBinary(mediaType(headers['content-type'])) || !isUtf8(body));
  return { body: body.toString(isBase64Encoded ? 'base64' : 'utf8'), isBase64Encoded };
}

/** The fields of a body; undefined for one that has none. */
function bodyFields({ headers, body }: WebRequest): Fields | undefined {
  if (body.length === 0) return {};
  const type = mediaType(headers['content-type']);
  if (type === 'application/x-www-form-urlencoded') return Object.fromEntries(new URLSearchParams(body.toString('utf8')));
  if (!isJson(type)) return undefined;
  const value = parseJson(body);
  // Just checked to be an object and not a list.
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Fields) : undefined;
}

function refuseReserved(fields: Fields, finalKeys: ReadonlySet<string>): void {
  const reserved = Object.keys(fields).find((key) => key === 'http' || key.startsWith('__ow_') || finalKeys.has(key));
  if (reserved === undefined) return;
  throw new HostError('bad_request', `Request defines parameters that are not allowed (e.g., reserved properties): ${reserved}.`);
}
