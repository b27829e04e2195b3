import type { Window } from './window.ts';

/** One series of a reply: its labels, and its value at a moment, undefined where it has none. */
export interface Labelled {
  readonly labels: Readonly<Record<string, string>>;
  readonly at: (second: number) => number | undefined;
  /** Digits after the point; all there are by default. */
  readonly digits?: number;
}

/** A reply of values over time; a series without any is left out. Source: the OpenAPI document, component `metrics`. */
export function matrixReply({ seconds }: Window, series: readonly Labelled[]): object {
  const result = series
    .map(({ labels, at, digits }) => ({
      metric: labels,
      values: seconds.flatMap((second) => {
        const value = at(second);
        return value === undefined ? [] : [[second, digits === undefined ? String(value) : value.toFixed(digits)] as const];
      }),
    }))
    .filter(({ values }) => values.length > 0);
  return { status: 'success', data: { resultType: 'matrix', result } };
}
