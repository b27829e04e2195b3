import type { DeployedFunction } from '../functions/deployed-function.ts';
import type { RunEnd, RunTiming } from './run.ts';

/** A call of a function, waiting for an instance or being made. Ends in `onFail`, or in `onAnswer` and then `onFinish`. */
export interface Job {
  /** 32 hexadecimal digits. */
  readonly activationId: string;
  readonly requestId: string;
  /** What the request brings; bound parameters are added where it does not name them. */
  readonly inputs: Readonly<Record<string, unknown>>;
  /** An instance begins it, with this version of the function. May come again where an instance ended before it got to the call. */
  onStart(deployed: DeployedFunction): void;
  onAnswer(end: RunEnd, timing: RunTiming): void;
  /** `lines` is the log. */
  onFinish(lines: readonly string[]): void;
  /** It never ran, for a reason of the host's. */
  onFail(error: unknown): void;
}
