import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from '../../../calendar.ts';
import type { Series } from './series.ts';

/** One swing of a wave: how long it takes, its share of all the swinging, and how far its length may be from that. */
interface Swing {
  readonly seconds: number;
  readonly share: number;
  readonly spread: number;
}

/** A day with its afternoon, a week, and quicker ones that look like chance; the shares add up to 1. */
const SWINGS: readonly Swing[] = [
  { seconds: (7 * DAY_MS) / SECOND_MS, share: 0.1, spread: 0 },
  { seconds: (4 * HOUR_MS) / SECOND_MS, share: 0.15, spread: 0.3 },
  { seconds: HOUR_MS / SECOND_MS, share: 0.12, spread: 0.3 },
  { seconds: (12 * MINUTE_MS) / SECOND_MS, share: 0.08, spread: 0.3 },
  { seconds: (3 * MINUTE_MS) / SECOND_MS, share: 0.05, spread: 0.3 },
];

const DAY_SECONDS = DAY_MS / SECOND_MS;
const DAY_SHARE = 0.5;
/** When a day is busiest, UTC, and how far from it a series may lie. */
const PEAK_SECONDS = (15 * HOUR_MS) / SECOND_MS;
const PEAK_SPREAD_SECONDS = (2 * HOUR_MS) / SECOND_MS;
const TURN = 2 * Math.PI;

/** Between which values a wave stays, and how much of that room it uses; 1 by default. */
export interface Room {
  readonly low: number;
  readonly high: number;
  readonly liveliness?: number;
}

/**
 * A believable series that follows from its key alone: smooth, with a daily wave, always inside its room. Made of sines, so that its area is
 * exact over any span.
 */
export function wave(key: string, { low, high, liveliness = 1 }: Room): Series {
  const room = high - low;
  const middle = low + room * (0.38 + 0.24 * chanceOf(`${key}/middle`));
  const reach = room * liveliness * (0.22 + 0.14 * chanceOf(`${key}/reach`));
  const sines = [
    sine(DAY_SECONDS, reach * DAY_SHARE, PEAK_SECONDS + PEAK_SPREAD_SECONDS * (2 * chanceOf(`${key}/peak`) - 1)),
    ...SWINGS.map(({ seconds, share, spread }, index) => {
      const length = seconds * (1 + spread * (2 * chanceOf(`${key}/length/${index}`) - 1));
      return sine(length, reach * share, length * chanceOf(`${key}/phase/${index}`));
    }),
  ];
  return {
    at: (second) => sines.reduce((sum, each) => sum + each.at(second), middle),
    area: (from, to) => sines.reduce((sum, each) => sum + each.area(from, to), middle * (to - from)),
  };
}

function sine(seconds: number, reach: number, peak: number): Series {
  const angle = (second: number): number => (TURN * ((second - peak) % seconds)) / seconds;
  return {
    at: (second) => reach * Math.cos(angle(second)),
    area: (from, to) => ((reach * seconds) / TURN) * (Math.sin(angle(to)) - Math.sin(angle(from))),
  };
}

/** A number from 0 up to 1 that follows from a text. Source: the hash known as FNV-1a, mixed as MurmurHash3 ends. */
function chanceOf(text: string): number {
  let bits = 0x811c9dc5;
  for (let index = 0; index < text.length; index += 1) {
    bits = Math.imul(bits ^ text.charCodeAt(index), 0x01000193);
  }
  bits = Math.imul(bits ^ (bits >>> 16), 0x85ebca6b);
  bits = Math.imul(bits ^ (bits >>> 13), 0xc2b2ae35);
  return ((bits ^ (bits >>> 16)) >>> 0) / 2 ** 32;
}
