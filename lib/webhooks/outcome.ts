import type { ErrorCode } from '../errors.ts';

/** What became of a delivery. */
export interface Outcome {
  readonly status: 'done' | 'ignored' | 'duplicate' | 'failed';
  readonly calls: readonly CallOutcome[];
  /** Why it failed where that is not a call's failure, or why it was ignored. */
  readonly reason?: string;
  /** Nothing was done, and sending it again may help, after so long. */
  readonly retryAfterMs?: number;
}

export interface CallOutcome {
  readonly tool: string;
  readonly isError: boolean;
  readonly code?: ErrorCode;
  /** The failure in words; for the record, and not for the sender. */
  readonly message?: string;
  /** For the record: the arguments without secrets. */
  readonly arguments?: unknown;
  readonly platformRequestId?: string;
  /** What a dry run would have sent. */
  readonly result?: unknown;
}
