/** Why the host refused or could not go on, as a closed set. The first group answers requests, the second stops a start. */
export type HostErrorCode =
  /** The request is malformed; the message says where. */
  | 'bad_request'
  /** No credentials, or wrong ones. */
  | 'unauthenticated'
  /** Known, but not for this caller: another namespace, a Host that is not served. */
  | 'forbidden'
  | 'not_found'
  | 'method_not_allowed'
  /** It exists already, or still has something in it. */
  | 'conflict'
  /** Understood, and not to be had: a limit is reached. */
  | 'unprocessable'
  | 'too_large'
  /** The queue of a function is full. */
  | 'too_many_requests'
  /** A bug of the host. */
  | 'internal_error'
  /** The Node binary of a kind is not here and cannot be fetched. */
  | 'kind_unavailable'
  /** The host is shutting down. */
  | 'closing'
  /** The data directory belongs to another running host. */
  | 'data_dir_in_use'
  /** A directory the host needs belongs to someone else or is open to others. */
  | 'unsafe_directory'
  | 'port_in_use'
  /** An option of the host has a value it cannot work with. */
  | 'invalid_option';

/** The HTTP status that goes with a code where it answers a request. */
export const statusOfCode: Readonly<Record<HostErrorCode, number>> = {
  bad_request: 400,
  unauthenticated: 401,
  forbidden: 403,
  not_found: 404,
  method_not_allowed: 405,
  conflict: 409,
  unprocessable: 422,
  too_large: 413,
  too_many_requests: 429,
  internal_error: 500,
  kind_unavailable: 503,
  closing: 503,
  data_dir_in_use: 500,
  unsafe_directory: 500,
  port_in_use: 500,
  invalid_option: 500,
};

/** A failure of the host that its user can understand and do something about. Whatever else is thrown is a bug. */
export class HostError extends Error {
  readonly code: HostErrorCode;

  constructor(code: HostErrorCode, message: string, options?: { readonly cause?: unknown }) {
    super(message, options);
    this.name = 'HostError';
    this.code = code;
  }
}
