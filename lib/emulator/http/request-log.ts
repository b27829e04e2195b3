import type { JsonObject } from '../fields.ts';

/** A request an account has received, for tests that look from outside. */
export interface LoggedRequest {
  /** When it was handled, on the account's clock. */
  readonly atMs: number;
  readonly method: string;
  readonly path: string;
  readonly query: string;
  readonly body: JsonObject;
  /** Of the reply, also of one that did not arrive; null when the connection was cut before there was one. */
  readonly status: number | null;
  /** Real time from its arrival until the reply was ready. */
  readonly ms: number;
  /** The id of the fault that it met. */
  readonly fault?: number;
}

/** Which requests are asked for: of a method, with a path that begins so, handled at a moment or later, at most so many of the newest. */
export interface RequestFilter {
  readonly method?: string;
  readonly path?: string;
  readonly sinceMs?: number;
  readonly limit?: number;
}

export interface RequestLog {
  readonly add: (request: LoggedRequest) => void;
  /** Oldest first. */
  readonly find: (filter: RequestFilter) => readonly LoggedRequest[];
  readonly clear: () => void;
}

/** The last `size` requests. */
export function requestLog(size: number): RequestLog {
  const ring: LoggedRequest[] = [];
  let next = 0;
  const all = (): readonly LoggedRequest[] => (next <= size ? ring : [...ring.slice(next % size), ...ring.slice(0, next % size)]);
  return {
    add: (request) => {
      ring[next % size] = request;
      next += 1;
    },
    find: ({ method, path = '', sinceMs = Number.NEGATIVE_INFINITY, limit = size }) =>
      all()
        .filter((request) => (method ?? request.method) === request.method && request.path.startsWith(path) && request.atMs >= sinceMs)
        .slice(-limit),
    clear: () => {
      ring.length = 0;
      next = 0;
    },
  };
}
