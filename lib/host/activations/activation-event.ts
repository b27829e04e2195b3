import type { Answer } from '../http/answer.ts';
import type { ActivationResponse, ActivationStatus } from './activation-record.ts';
import type { Answered } from './call.ts';

/** What is told of every request that reached a function, once its log is complete: for showing, not for keeping. */
export interface ActivationEvent {
  readonly activationId: string;
  /** `package/name`. */
  readonly function: string;
  readonly version: string;
  /** How the function's run ended. */
  readonly outcome: ActivationStatus;
  /** What a run that failed says of it: the runtime's words, or those of the error it answered. */
  readonly error: string | undefined;
  /** The HTTP status of the answer. */
  readonly status: number;
  /** From the request's arrival to the answer. */
  readonly ms: number;
  readonly cold: boolean;
  readonly initMs: number | undefined;
  readonly waitMs: number;
  readonly runMs: number;
  readonly method: string;
  /** The path of the request as it came, without its query. */
  readonly path: string;
  readonly userAgent: string | undefined;
  /** The answer's headers without its cookies. */
  readonly responseHeaders: Answer['headers'];
  /** What its developer ought to know: an answer that is empty by accident, a body that was decoded. */
  readonly warnings: readonly string[];
  /** What the run wrote, a line each, as its record has it. */
  readonly logs: readonly string[];
}

/** The request as far as it is told. `receivedAt` is on the clock of `performance.now()`. */
export interface ReceivedRequest {
  readonly method: string;
  readonly path: string;
  readonly userAgent: string | undefined;
  readonly receivedAt: number;
}

/** Builds the event of one request, as it is answered; what the run wrote comes after. */
export function activationEvent(
  activationId: string,
  { deployed, response, measured }: Answered,
  request: ReceivedRequest,
  answer: Answer,
  warnings: readonly string[],
): Omit<ActivationEvent, 'logs'> {
  const { 'set-cookie': _cookies, ...responseHeaders } = answer.headers;
  return {
    activationId,
    function: deployed.fullName,
    version: deployed.record.version,
    outcome: response.status,
    error: response.success ? undefined : errorText(response.result),
    status: answer.status,
    ms: performance.now() - request.receivedAt,
    cold: measured.initMs !== undefined,
    initMs: measured.initMs,
    waitMs: measured.waitMs,
    runMs: measured.durationMs - (measured.initMs ?? 0),
    method: request.method,
    path: request.path,
    userAgent: request.userAgent,
    responseHeaders,
    warnings,
  };
}

function errorText(result: ActivationResponse['result']): string | undefined {
  const error = result?.error;
  if (typeof error === 'string') return error;
  if (typeof error !== 'object' || error === null) return undefined;
  const text = 'stack' in error ? error.stack : 'message' in error ? error.message : undefined;
  return typeof text === 'string' ? text : undefined;
}
