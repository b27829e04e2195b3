import { type DeployedAction, isDeployedSequence } from '../functions/deployed-function.ts';
import type { ActivationRecord } from './activation-record.ts';
import type { Activation, Answered } from './call.ts';
import type { FunctionCalls } from './function-calls.ts';
import type { SequenceCalls } from './sequence-calls.ts';
import type { Throttle } from './throttle.ts';

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

/** Makes calls of functions and of sequences, as many as a namespace may. A sequence counts as one, however many it calls. */
export class Invoker {
  readonly #functions: FunctionCalls;
  readonly #sequences: SequenceCalls;
  readonly #throttle: Throttle;

  constructor(functions: FunctionCalls, sequences: SequenceCalls, throttle: Throttle) {
    this.#functions = functions;
    this.#sequences = sequences;
    this.#throttle = throttle;
  }

  /** Calls a function. `inputs` are those of the request alone. Throws HostError `too_many_requests` or `closing`. */
  invoke(
    deployed: DeployedAction,
    inputs: Readonly<Record<string, unknown>>,
    requestId: string,
    { metered = true, secrets = [] }: CallOptions = {},
  ): Invocation {
    this.#throttle.begin(metered);
    const end = (): void => this.#throttle.end();
    try {
      const call = { inputs, requestId, secrets };
      const activation: Activation = isDeployedSequence(deployed)
        ? this.#sequences.start(deployed, call)
        : this.#functions.start(deployed, call);
      const { activationId, answered, recorded, withdraw } = activation;
      answered.then(end, end);
      return { activationId, answered, recorded, abandon: () => withdraw() && end() };
    } catch (error) {
      end();
      throw error;
    }
  }
}
