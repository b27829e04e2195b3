/** How much is measured: all of it, or so little that every commit can afford it. */
export interface Effort {
  /** How often everything is measured in turn, forwards and backwards. */
  readonly rounds: number;
  /** How often a run is begun again because its control moved. */
  readonly repeats: number;
  /** What is left of the time for that; the runs of one section take from the same. */
  readonly repeating: { leftMs: number };
  /** Shows that everything can be measured; its figures say little. */
  readonly isQuick: boolean;
}

export const full: Effort = { rounds: 7, repeats: 2, repeating: { leftMs: 40_000 }, isQuick: false };
export const quick: Effort = { rounds: 1, repeats: 0, repeating: { leftMs: 0 }, isQuick: true };
