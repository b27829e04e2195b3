import type { FunctionsApi } from './functions-api.ts';
import type { MakeOptions } from './make-function.ts';
import type { CheckedTarget } from './upload/check-target.ts';

/** What every step of one deployment knows. */
export interface Deployment extends MakeOptions, CheckedTarget {
  readonly api: FunctionsApi;
  readonly incremental: boolean;
}
