import type { JsonObject } from '../fields.ts';

/** A request an account has received, for tests that look from outside. */
export interface LoggedRequest {
  readonly atMs: number;
  readonly method: string;
  readonly path: string;
  readonly query: string;
  readonly body: JsonObject;
  readonly status: number;
}

export interface RequestLog {
  readonly add: (request: LoggedRequest) => void;
  /** Oldest first. */
  readonly all: () => readonly LoggedRequest[];
  readonly clear: () => void;
}

/** The last `size` requests. */
export function requestLog(size: number): RequestLog {
  const ring: LoggedRequest[] = [];
  let next = 0;
  return {
    add: (request) => {
      ring[next % size] = request;
      next += 1;
    },
    all: () => (next <= size ? [...ring] : [...ring.slice(next % size), ...ring.slice(0, next % size)]),
    clear: () => {
      ring.length = 0;
      next = 0;
    },
  };
}
