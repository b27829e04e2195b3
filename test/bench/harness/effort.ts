/** How much is measured: all of it, or so little that every commit can afford it. */
export interface Effort {
  /** How often everything is measured in turn, forwards and backwards. */
  readonly rounds: number;
  /** How often a run is begun again because its control moved. */
  readonly repeats: number;
  /** The time of day after which none is begun again. */
  readonly repeatUntilMs: number;
  /** Shows that everything can be measured; its figures say little. */
  readonly isQuick: boolean;
}

export const full: Omit<Effort, 'repeatUntilMs'> = { rounds: 7, repeats: 2, isQuick: false };
export const quick: Omit<Effort, 'repeatUntilMs'> = { rounds: 1, repeats: 0, isQuick: true };
