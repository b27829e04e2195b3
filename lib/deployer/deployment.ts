import type { FunctionsApi, Target } from './functions-api.ts';
import type { MakeOptions } from './make-function.ts';
import type { JsonObject } from './project.ts';
import type { CheckedTarget } from './upload/check-target.ts';

/** What every step of one deployment knows. */
export interface Deployment extends MakeOptions, CheckedTarget {
  readonly api: FunctionsApi;
  readonly target: Target;
  /** Builds run on the host where a function has one and does not want it here. */
  readonly remoteBuild: boolean;
  /** Stands in the deployer's annotation of each function beside what that says itself. */
  readonly annotation: JsonObject;
  /** Told how each function and trigger ended, in a line without the reason, which the outcome has. */
  readonly onResult: (line: string) => void;
}
