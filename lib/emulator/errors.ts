/**
 * A refusal in the platform's own form: an HTTP status with `{id, message}`.
 * Source: the OpenAPI document, component `error`.
 */
export class PlatformError extends Error {
  readonly status: number;
  readonly id: string;
  readonly headers: Readonly<Record<string, string>>;

  constructor(status: number, id: string, message: string, headers: Readonly<Record<string, string>> = {}) {
    super(message);
    this.name = 'PlatformError';
    this.status = status;
    this.id = id;
    this.headers = headers;
  }
}

export const badRequest = (message: string) => new PlatformError(400, 'bad_request', message);
export const unauthorized = () => new PlatformError(401, 'unauthorized', 'Unable to authenticate you.');
export const forbidden = (message = 'You are not allowed to perform this operation') => new PlatformError(403, 'forbidden', message);
export const notFound = () => new PlatformError(404, 'not_found', 'The resource you requested could not be found.');
/** A path of the platform's that another program stands in for. */
export const functionsElsewhere = () =>
  new PlatformError(
    404,
    'not_found',
    'This emulator has no functions: a functions host serves /v2/functions, and with one beside it (as npm start has) this address does too.',
  );
export const methodNotAllowed = (allow: string) => new PlatformError(405, 'method_not_allowed', `This path answers ${allow}.`, { allow });
export const conflict = (message: string) => new PlatformError(409, 'conflict', message);
export const preconditionFailed = (message: string) => new PlatformError(412, 'precondition_failed', message);
export const payloadTooLarge = (limitBytes: number) =>
  new PlatformError(413, 'payload_too_large', `The request body is larger than ${limitBytes} bytes.`);
export const unsupportedMediaType = (message: string) => new PlatformError(415, 'unsupported_media_type', message);
export const unprocessable = (message: string) => new PlatformError(422, 'unprocessable_entity', message);
export const tooManyRequests = (retryAfterSeconds: number) =>
  new PlatformError(429, 'too_many_requests', 'API Rate limit exceeded.', { 'retry-after': String(retryAfterSeconds) });
export const serverError = () => new PlatformError(500, 'server_error', 'Unexpected server-side error');
