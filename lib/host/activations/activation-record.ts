import type { DeployedFunction } from '../functions/deployed-function.ts';
import { type Annotation, fullName, sequenceKind } from '../functions/function-record.ts';
import { isRecord } from '../is-record.ts';
import { hostLimits } from '../limits.ts';
import { redacted } from './secrets.ts';

/** How an activation ended, with the platform's number for it. */
export const activationStatuses = {
  success: 0,
  application_error: 1,
  action_developer_error: 2,
  whisk_internal_error: 3,
} as const;

export type ActivationStatus = keyof typeof activationStatuses;

/** What a function's run came to, as the caller gets it. */
export interface ActivationResponse {
  readonly status: ActivationStatus;
  readonly statusCode: number;
  readonly success: boolean;
  /** Bytes of the result as JSON. */
  readonly size: number;
  readonly result: Readonly<Record<string, unknown>> | null;
}

/** An activation as the API tells it (platform reference, activation record). Times in milliseconds, `start` and `end` since the epoch. */
export interface ActivationRecord {
  readonly activationId: string;
  readonly namespace: string;
  readonly name: string;
  readonly version: string;
  readonly subject: string;
  /** The activation of the sequence that made this call. */
  readonly cause?: string;
  readonly start: number;
  readonly end: number;
  readonly duration: number;
  readonly publish: false;
  readonly statusCode: number;
  readonly response: ActivationResponse;
  readonly logs: readonly string[];
  readonly annotations: readonly Annotation[];
}

/** What is measured of a run. `initMs` is there for a cold start only; `waitMs` is the time before an instance took the call. */
export interface Measured {
  readonly startMs: number;
  readonly durationMs: number;
  readonly waitMs: number;
  readonly initMs?: number;
  readonly timedOut: boolean;
}

/** Builds the response part of a record. `size` is that of the result as JSON, in bytes. */
export function activationResponse(status: ActivationStatus, result: ActivationResponse['result'], size: number): ActivationResponse {
  return { status, statusCode: activationStatuses[status], success: status === 'success', size, result };
}

/** Builds the response of a call that failed, with what it failed of. */
export function failure(status: ActivationStatus, message: string): ActivationResponse {
  const result = { error: message };
  return activationResponse(status, result, Buffer.byteLength(JSON.stringify(result)));
}

/** Builds the record of one run. `cause` is the activation of the sequence that made the call. */
export function activationRecord(
  activationId: string,
  namespace: string,
  deployed: DeployedFunction,
  response: ActivationResponse,
  measured: Measured,
  logs: readonly string[],
  cause?: string,
): ActivationRecord {
  const { record } = deployed;
  const { startMs, durationMs, waitMs, initMs, timedOut } = measured;
  const { timeout, memory, logs: logsLimit, concurrency } = record.limits;
  return {
    ...recordHead(activationId, namespace, record, response, cause),
    start: startMs,
    end: startMs + durationMs,
    duration: durationMs,
    logs,
    annotations: [
      { key: 'path', value: `${namespace}/${fullName(record)}` },
      { key: 'waitTime', value: waitMs },
      { key: 'kind', value: record.kind },
      { key: 'entry', value: record.main ?? 'main' },
      { key: 'timeout', value: timedOut },
      { key: 'limits', value: { concurrency, logs: logsLimit, memory, timeout } },
      ...(deployed.fullName === fullName(record) ? [] : [{ key: 'binding', value: `${namespace}/${deployed.fullName.split('/', 1)[0]}` }]),
      ...(cause === undefined ? [] : [{ key: 'causedBy', value: sequenceKind }]),
      ...(initMs === undefined ? [] : [{ key: 'initTime', value: initMs }]),
    ],
  };
}

type RecordHead = Omit<ActivationRecord, 'start' | 'end' | 'duration' | 'logs' | 'annotations'>;

/** What the records of a function's run and of a sequence's have alike. */
export function recordHead(
  activationId: string,
  namespace: string,
  { name, version }: { readonly name: string; readonly version: string },
  response: ActivationResponse,
  cause: string | undefined,
): RecordHead {
  const caused = cause === undefined ? {} : { cause };
  return {
    activationId,
    namespace,
    name,
    version,
    subject: namespace,
    ...caused,
    publish: false,
    statusCode: response.statusCode,
    response,
  };
}

/**
 * The record as it is kept: without the response's headers, which may carry secrets, without a large result, and with these secrets taken out of result
 * and log.
 */
export function keptRecord(record: ActivationRecord, secrets: readonly string[]): ActivationRecord {
  const { response, logs } = record;
  const { result, size } = response;
  const isLarge = size > hostLimits.recordedResultBytes;
  const short = isLarge
    ? { truncated: `The result had ${size} bytes; up to ${hostLimits.recordedResultBytes} are recorded.` }
    : redacted(result && withoutHeaders(result), secrets);
  return { ...record, response: { ...response, result: short }, logs: redacted(logs, secrets) };
}

/** What a function fails with may be a response too. */
function withoutHeaders(result: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  const { headers: _headers, ...kept } = result;
  return isRecord(kept.error) ? { ...kept, error: withoutHeaders(kept.error) } : kept;
}
