/** What rounds of killing came to. */
export interface Rounds {
  readonly rounds: number;
  /** Writes that were answered, all of which have to be there. */
  readonly acknowledged: number;
  readonly broken: readonly string[];
}
