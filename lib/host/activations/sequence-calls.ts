import { type DeployedAction, type DeployedSequence, isDeployedSequence } from '../functions/deployed-function.ts';
import { fullName } from '../functions/function-record.ts';
import { HostError } from '../host-error.ts';
import { hostLimits } from '../limits.ts';
import { type ActivationEvent, activationEvent } from './activation-event.ts';
import { activationId as newActivationId } from './activation-id.ts';
import { type ActivationRecord, type ActivationResponse, failure } from './activation-record.ts';
import type { ActivationStore } from './activation-store.ts';
import type { Activation, Answered, Call } from './call.ts';
import type { FunctionCalls } from './function-calls.ts';
import { type SequenceStep, sequenceMeasured, sequenceRecord } from './sequence-record.ts';

/** What sequences are made of. `find` is asked when a component's turn comes, and so each is called in the version that is then served. */
export interface SequenceParts {
  readonly functions: FunctionCalls;
  readonly find: (fullName: string) => DeployedAction | undefined;
  readonly activations: ActivationStore;
  readonly namespace: string;
  /** Told of the calls that sequences make. */
  readonly onActivation: (event: ActivationEvent) => void;
}

/** How far a call has come, with all sequences around it: a package can be bound anew so that a sequence comes back to itself. */
interface Course {
  readonly depth: number;
  readonly tally: { calls: number };
}

/**
 * Calls sequences: each component with what the one before it returned, up to the first that fails. A sequence has no time limit of its own,
 * its components have theirs. It leaves an activation whose log is the ids of those of its components.
 */
export class SequenceCalls {
  readonly #parts: SequenceParts;

  constructor(parts: SequenceParts) {
    this.#parts = parts;
  }

  start(deployed: DeployedSequence, call: Call, course: Course = { depth: 1, tally: { calls: 0 } }): Activation {
    const activationId = newActivationId();
    const startMs = Date.now();
    const steps: SequenceStep[] = [];
    const run = this.#run(deployed, { ...call, cause: activationId }, course, steps);
    const answered = run.then((response): Answered => ({ deployed, response, measured: sequenceMeasured(startMs, steps) }));
    const recorded = answered.then((answer) => this.#record(activationId, deployed, answer, steps, call));
    // Not everyone who calls waits for both.
    for (const promise of [answered, recorded]) promise.catch(() => {});
    return { activationId, answered, recorded, withdraw: () => steps[0]?.activation.withdraw() ?? false };
  }

  async #run({ fullName, record }: DeployedSequence, call: Call, course: Course, steps: SequenceStep[]): Promise<ActivationResponse> {
    let response = failure('application_error', 'No component specified for the sequence.');
    let { inputs } = call;
    for (const name of record.components) {
      const found = this.#parts.find(name);
      if (!found) return failure('application_error', `Sequence component does not exist: ${name}.`);
      if (course.depth > hostLimits.sequenceLength || course.tally.calls >= hostLimits.sequenceLength) {
        return failure('application_error', `Too many actions in the sequence: more than ${hostLimits.sequenceLength}.`);
      }
      response = await this.#step(fullName, found, { ...call, inputs }, course, steps);
      if (!response.success) return response;
      inputs = response.result ?? {};
    }
    return response;
  }

  async #step(sequence: string, component: DeployedAction, call: Call, course: Course, steps: SequenceStep[]): Promise<ActivationResponse> {
    const receivedAt = performance.now();
    try {
      const step: SequenceStep = { activation: this.#call(component, call, course) };
      steps.push(step);
      step.answer = await step.activation.answered;
      this.#tell(sequence, step.activation, step.answer, receivedAt);
      return step.answer.response;
    } catch (error) {
      if (!(error instanceof HostError)) throw error;
      return failure('whisk_internal_error', `The sequence ended ${endedBy(component.fullName, error.message)}`);
    }
  }

  #call(component: DeployedAction, call: Call, { depth, tally }: Course): Activation {
    if (isDeployedSequence(component)) return this.start(component, call, { depth: depth + 1, tally });
    tally.calls += 1;
    return this.#parts.functions.start(component, call);
  }

  #tell(sequence: string, { activationId, recorded }: Activation, answer: Answered, receivedAt: number): void {
    const request = { method: 'SEQUENCE', path: sequence, userAgent: undefined, receivedAt };
    const status = answer.response.success ? 200 : 502;
    const event = activationEvent(activationId, answer, request, { status, headers: {}, body: '' }, []);
    recorded.then(
      ({ logs }) => this.#parts.onActivation({ ...event, logs }),
      () => {
        // What was answered has run, and is recorded unless the host itself failed: whoever waits for the sequence is told.
      },
    );
  }

  async #record(
    activationId: string,
    deployed: DeployedSequence,
    answer: Answered,
    steps: readonly SequenceStep[],
    { cause, secrets }: Call,
  ): Promise<ActivationRecord> {
    const ran = steps.filter((step) => step.answer !== undefined);
    // Whoever follows the ids in the log finds what they stand for.
    const components = await Promise.all(ran.map(({ activation }) => activation.recorded));
    const record = sequenceRecord(activationId, this.#parts.namespace, deployed, answer, components, cause);
    this.#parts.activations.add(record, fullName(deployed.record), secrets);
    return record;
  }
}

/** Some of what the host refuses a call with names the function already. */
function endedBy(component: string, message: string): string {
  return message.includes(component) ? `at its component: ${message}` : `before ${component}: ${message}`;
}
