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
  failure,
} from './activation-record.ts';
import type { ActivationStore } from './activation-store.ts';
import type { Activation, Answered, Call } from './call.ts';
import { deferred } from './deferred.ts';

/** Calls functions and records every call that ran. */
export class FunctionCalls {
  readonly #fleet: Fleet;
  readonly #activations: ActivationStore;
  readonly #namespace: string;

  constructor(fleet: Fleet, activations: ActivationStore, namespace: string) {
    this.#fleet = fleet;
    this.#activations = activations;
    this.#namespace = namespace;
  }

  /** Throws HostError `closing`. */
  start(deployed: DeployedFunction, { inputs, requestId, secrets, cause }: Call): Activation {
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
        answered.resolve(answer);
      },
      onFinish: (lines) => {
        if (!answer) return;
        const record = activationRecord(activationId, this.#namespace, version, answer.response, answer.measured, lines, cause);
        this.#activations.add(record, fullName(version.record), secrets);
        recorded.resolve(record);
      },
      onFail: (error) => {
        answered.reject(error);
        recorded.reject(error);
      },
    };
    this.#fleet.submit(deployed, job);
    const withdraw = (): boolean => this.#fleet.withdraw(deployed, job);
    return { activationId, answered: answered.promise, recorded: recorded.promise, withdraw };
  }
}

function responseOf(end: RunEnd): ActivationResponse {
  if (end.type === 'returned') return activationResponse(statusOf(end.result), end.result, end.bytes);
  if (end.type === 'too-large') return failure('application_error', end.message);
  if (end.type === 'failed') return failure('action_developer_error', end.message);
  return failure('whisk_internal_error', 'The call was not made.');
}

function statusOf(result: Readonly<Record<string, unknown>> | null): ActivationStatus {
  return result !== null && Object.hasOwn(result, 'error') ? 'application_error' : 'success';
}
