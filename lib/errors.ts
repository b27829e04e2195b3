/** What went wrong, as a closed set: the code tells a caller what kind of way out there is. */
export type ErrorCode =
  /** The arguments do not fit the tool; nothing was sent. */
  | 'invalid_arguments'
  /** No bearer, an unknown one, or one the platform refused. */
  | 'unauthenticated'
  /** Known, but not allowed: the tool is deselected, the mode is read-only, or the platform said 403. */
  | 'forbidden'
  /** No tool of that name here. */
  | 'unknown_tool'
  /** The platform knows no such resource. */
  | 'not_found'
  /** The platform's 409 and 412: the resource is in a state that does not allow it. */
  | 'conflict'
  /** The platform's 400 and 422: it understood and refuses. */
  | 'rejected'
  /** A person has to agree first; nothing was changed. `confirmation` says to what, and carries the token to come back with. */
  | 'confirmation_required'
  /** Too many requests; `retryAfterMs` says when to come back. */
  | 'rate_limited'
  /** The platform failed, or answered something that cannot be understood. */
  | 'platform_error'
  /** The platform cannot be reached or says it is down; nothing happened. */
  | 'platform_unavailable'
  /** This installation lacks a setting; nothing is served until it is mended. */
  | 'not_configured'
  /** Time ran out and nothing happened. */
  | 'deadline_exceeded'
  /** A write was sent and its answer did not arrive: it may or may not have happened; `next` finds out. */
  | 'outcome_unknown'
  /** A bug of ours; the function's log has the stack. */
  | 'internal_error';

/** The HTTP status a plain JSON answer carries for each code. */
export const httpStatus: Readonly<Record<ErrorCode, number>> = {
  invalid_arguments: 400,
  unauthenticated: 401,
  forbidden: 403,
  unknown_tool: 404,
  not_found: 404,
  conflict: 409,
  rejected: 422,
  confirmation_required: 428,
  rate_limited: 429,
  platform_error: 502,
  platform_unavailable: 503,
  not_configured: 503,
  deadline_exceeded: 504,
  outcome_unknown: 504,
  internal_error: 500,
};

const retryableCodes: ReadonlySet<ErrorCode> = new Set(['rate_limited', 'platform_unavailable', 'deadline_exceeded']);

/** One thing wrong with the arguments. `field` is a path such as `ForwardingRules[0].EntryPort`. */
export interface Problem {
  readonly field: string;
  /** The value as it came, as JSON, cut when long. Absent where nothing was given. */
  readonly got?: string;
  readonly expected: string;
  /** The nearest name or value that would have been right. */
  readonly nearest?: string;
}

/** A call that leads out of the failure. */
export interface NextCall {
  readonly tool: string;
  readonly arguments: Readonly<Record<string, unknown>>;
}

/** What the platform answered, when it did. */
export interface PlatformAnswer {
  readonly status: number;
  readonly id?: string;
  readonly message?: string;
  readonly requestId?: string;
}

/** What a person is to agree to. */
export interface Confirmation {
  /** The resource as the platform knows it, as far as it could be read. */
  readonly resource?: unknown;
  /** The request that would be sent. */
  readonly request: unknown;
  /** Comes back as the argument `Confirm`, with the same arguments. */
  readonly token: string;
  /** In ISO 8601. */
  readonly expiresAt: string;
}

export interface ErrorDetails {
  readonly retryable?: boolean;
  readonly retryAfterMs?: number;
  readonly problems?: readonly Problem[];
  readonly platform?: PlatformAnswer;
  readonly next?: readonly NextCall[];
  readonly confirmation?: Confirmation;
  /** What `WWW-Authenticate` says of it. */
  readonly challenge?: string;
  readonly cause?: unknown;
}

/** The shape of an error in every answer; members without a value are left out. */
export interface ErrorRecord {
  readonly code: ErrorCode;
  readonly message: string;
  readonly retryable: boolean;
  readonly retryAfterMs?: number;
  readonly problems?: readonly Problem[];
  readonly platform?: PlatformAnswer;
  readonly next?: readonly NextCall[];
  readonly confirmation?: Confirmation;
}

/** A failure that is told to the caller as it is. Whatever else is thrown is a bug. */
export class ToolError extends Error {
  readonly code: ErrorCode;
  readonly details: ErrorDetails;

  constructor(code: ErrorCode, message: string, details: ErrorDetails = {}) {
    super(message, { cause: details.cause });
    this.name = 'ToolError';
    this.code = code;
    this.details = details;
  }

  /** The same failure with calls that lead out of it, unless it names some already. */
  withNext(next: readonly NextCall[]): ToolError {
    if (next.length === 0 || this.details.next) return this;
    return new ToolError(this.code, this.message, { ...this.details, next });
  }

  toRecord(): ErrorRecord {
    const { retryable, retryAfterMs, problems, platform, next, confirmation } = this.details;
    return {
      code: this.code,
      message: this.message,
      retryable: retryable ?? retryableCodes.has(this.code),
      ...(retryAfterMs !== undefined && { retryAfterMs }),
      ...(problems && { problems }),
      ...(platform && { platform }),
      ...(next && { next }),
      ...(confirmation && { confirmation }),
    };
  }
}
