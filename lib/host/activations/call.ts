import type { DeployedAction } from '../functions/deployed-function.ts';
import type { ActivationRecord, ActivationResponse, Measured } from './activation-record.ts';

/** What a call takes, whatever is called. */
export interface Call {
  /** What the caller brings; bound parameters are added where it does not name them. */
  readonly inputs: Readonly<Record<string, unknown>>;
  readonly requestId: string;
  /** What of the request must not be recorded, should a function print it or answer with it. */
  readonly secrets: readonly string[];
  /** There for a call that a sequence makes: the sequence's activation. */
  readonly cause?: string;
}

/** A call as it was answered; the record follows when the log is complete. */
export interface Answered {
  readonly deployed: DeployedAction;
  readonly response: ActivationResponse;
  readonly measured: Measured;
}

/** A call under way. Both promises reject with a HostError only where the function never ran. */
export interface Activation {
  readonly activationId: string;
  readonly answered: Promise<Answered>;
  readonly recorded: Promise<ActivationRecord>;
  /** Takes the call back; false where it has begun. Of one that is taken back neither promise settles. */
  withdraw(): boolean;
}
