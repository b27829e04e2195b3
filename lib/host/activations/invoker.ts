import type { DeployedFunction } from '../functions/deployed-function.ts';
import { fullName } from '../functions/function-record.ts';
import type { Fleet } from '../instances/fleet.ts';
import type { Job } from '../instances/job.ts';
import type { RunEnd } from '../instances/run.ts';
import { activationId as newActivationId } from './activation-id.ts';
import {
  type ActivationRecord,
  type ActivationResponse,
  type ActivationStatus,
  activationRecord,
  activationResponse,
  type Measured,
} from './activation-record.ts';
import type { ActivationStore } from './activation-store.ts';
import type { Throttle } from './throttle.ts';

/** A call as it was answered; the record follows when the log is complete. */
export interface Answered {
  readonly deployed: DeployedFunction;
  readonly response: ActivationResponse;
  readonly measured: Measured;
}

/** A call that was accepted. Both promises reject with a HostError only where the function never ran. */
export interface Invocation {
  readonly activationId: string;
  readonly answered: Promise<Answered>;
  readonly recorded: Promise<ActivationRecord>;
  /** The caller is gone: a call that has not begun is not made. */
  abandon(): void;
}

/** How a call is treated. */
export interface CallOptions {
  /** Whether it counts against the calls of the minute; default true. */
  readonly metered?: boolean;
  /** What of the request must not be recorded, should the function print it or answer with it. */
  readonly secrets?: readonly string[];
}

/** Makes calls of functions and records every one that ran. */
export class Invoker {
  readonly #fleet: Fleet;
  readonly #activations: ActivationStore;
  readonly #namespace: string;
  readonly #throttle: Throttle;

  constructor(fleet: Fleet, activations: ActivationStore, namespace: string, throttle: Throttle) {
    this.#fleet = fleet;
    this.#activations = activations;
    this.#namespace = namespace;
    this.#throttle = throttle;
  }

  /** Calls a function. `inputs` are those of the request alone. Throws HostError `too_many_requests` or `closing`. */
  invoke(
    deployed: DeployedFunction,
    inputs: Readonly<Record<string, unknown>>,
    requestId: string,
    { metered = true, secrets = [] }: CallOptions = {},
  ): Invocation {
    const activationId = newActivationId();
    const acceptedAt = performance.now();
    const answered = deferred<Answered>();
    const recorded = deferred<ActivationRecord>();
    let startedAt = acceptedAt;
    let version = deployed;
    let answer: Answered | undefined;
    const job: Job = {
      activationId,
      requestId,
      inputs,
      onStart: (current) => {
        startedAt = performance.now();
        version = current;
      },
      onAnswer: (end, timing) => {
        const timedOut = end.type === 'failed' && end.timedOut;
        const measured = { ...timing, waitMs: Math.round(startedAt - acceptedAt), timedOut };
        answer = { deployed: version, response: responseOf(end), measured };
        this.#throttle.end();
        answered.resolve(answer);
      },
      onFinish: (lines) => {
        if (!answer) return;
        const record = activationRecord(activationId, this.#namespace, version, answer.response, answer.measured, lines);
        this.#activations.add(record, fullName(version.record), secrets);
        recorded.resolve(record);
      },
      onFail: (error) => {
        this.#throttle.end();
        answered.reject(error);
        recorded.reject(error);
      },
    };
    this.#submit(deployed, job, metered);
    const abandon = (): void => {
      if (this.#fleet.withdraw(deployed, job)) this.#throttle.end();
    };
    return { activationId, answered: answered.promise, recorded: recorded.promise, abandon };
  }

  #submit(deployed: DeployedFunction, job: Job, metered: boolean): void {
    this.#throttle.begin(metered);
    try {
      this.#fleet.submit(deployed, job);
    } catch (error) {
      this.#throttle.end();
      throw error;
    }
  }
}

function responseOf(end: RunEnd): ActivationResponse {
  if (end.type === 'returned') return activationResponse(statusOf(end.result), end.result, end.bytes);
  if (end.type === 'too-large') return failure('application_error', end.message);
  if (end.type === 'failed') return failure('action_developer_error', end.message);
  return failure('whisk_internal_error', 'The call was not made.');
}

function failure(status: ActivationStatus, message: string): ActivationResponse {
  const result = { error: message };
  return activationResponse(status, result, Buffer.byteLength(JSON.stringify(result)));
}

function statusOf(result: Readonly<Record<string, unknown>> | null): ActivationStatus {
  return result !== null && Object.hasOwn(result, 'error') ? 'application_error' : 'success';
}

interface Deferred<T> {
  readonly promise: Promise<T>;
  resolve(value: T): void;
  reject(error: unknown): void;
}

function deferred<T>(): Deferred<T> {
  let resolve: (value: T) => void = () => {};
  let reject: (error: unknown) => void = () => {};
  const promise = new Promise<T>((onValue, onError) => {
    resolve = onValue;
    reject = onError;
  });
  // Not everyone who calls waits for both.
  promise.catch(() => {});
  return { promise, resolve, reject };
}
