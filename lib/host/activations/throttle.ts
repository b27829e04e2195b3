import { HostError } from '../host-error.ts';

const minuteMs = 60_000;

/** How much a namespace may ask for; `Infinity` for as much as it likes. */
export interface ThrottleLimits {
  readonly perMinute: number;
  readonly concurrent: number;
}

/** Holds the calls of one namespace to the platform's limits (platform reference, limits): how many begin in a minute, and how many are under way. */
export class Throttle {
  readonly #limits: ThrottleLimits;
  /** On the clock of `performance.now()`. */
  #minuteBegan = Number.NEGATIVE_INFINITY;
  #inMinute = 0;
  #underWay = 0;

  constructor(limits: ThrottleLimits) {
    this.#limits = limits;
  }

  /**
   * A call begins; `end` is called when it is over. One that is not `metered` does not count against the minute. HostError
   * `too_many_requests`, with the platform's words.
   */
  begin(metered: boolean): void {
    const now = performance.now();
    if (now - this.#minuteBegan >= minuteMs) {
      this.#minuteBegan = now;
      this.#inMinute = 0;
    }
    const { perMinute, concurrent } = this.#limits;
    if (metered && this.#inMinute >= perMinute) {
      throw tooMany(`Too many requests in the last minute (count: ${this.#inMinute + 1}, allowed: ${perMinute}).`);
    }
    if (this.#underWay >= concurrent) {
      throw tooMany(`Too many concurrent requests in flight (count: ${this.#underWay + 1}, allowed: ${concurrent}).`);
    }
    if (metered) this.#inMinute += 1;
    this.#underWay += 1;
  }

  end(): void {
    this.#underWay -= 1;
  }
}

function tooMany(message: string): HostError {
  return new HostError('too_many_requests', message);
}
