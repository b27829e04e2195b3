/** A quantity over time. Moments are seconds since 1970. */
export interface Series {
  readonly at: (second: number) => number;
  /** What is under it between two moments: the quantity times seconds. */
  readonly area: (from: number, to: number) => number;
}

/** A series over a part of time; from its end on it says nothing. */
export interface Piece {
  readonly from: number;
  readonly to: number;
  readonly series: Series;
}

/** The same value all the time. */
export function level(value: number): Series {
  return { at: () => value, area: (from, to) => value * (to - from) };
}

/** A straight line through two moments. */
export function line(from: number, to: number, first: number, last: number): Series {
  const at = (second: number): number => first + ((last - first) * (second - from)) / (to - from);
  return { at, area: (start, end) => at((start + end) / 2) * (end - start) };
}

export function scaled(series: Series, factor: number): Series {
  return { at: (second) => series.at(second) * factor, area: (from, to) => series.area(from, to) * factor };
}

/** What is known at each moment alone; its area is taken from sixteen of them. */
export function sampled(at: Series['at']): Series {
  return {
    at,
    area: (from, to) => {
      const width = (to - from) / SAMPLES;
      return Array.from({ length: SAMPLES }, (_, index) => at(from + (index + 0.5) * width) * width).reduce((sum, part) => sum + part, 0);
    },
  };
}

const SAMPLES = 16;

/** A series with other ones in its place where they have something to say. They must not overlap. */
export function replaced(below: Series, pieces: readonly Piece[]): Series {
  return {
    at: (second) => (pieces.find(({ from, to }) => second >= from && second < to)?.series ?? below).at(second),
    area: (from, to) => {
      let left = from;
      let sum = 0;
      for (const piece of pieces) {
        const begin = Math.max(left, piece.from);
        const end = Math.min(to, piece.to);
        if (end > begin) {
          sum += (begin > left ? below.area(left, begin) : 0) + piece.series.area(begin, end);
          left = end;
        }
      }
      return to > left ? sum + below.area(left, to) : sum;
    },
  };
}

/** The mean between two moments; at one moment, the value there. */
export function meanOf(series: Series, from: number, to: number): number {
  return to > from ? series.area(from, to) / (to - from) : series.at(to);
}
