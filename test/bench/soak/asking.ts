import type { Json } from '../../emulator/platform.ts';
import { percentile } from '../harness/spread.ts';

/** Whose activations a request adds to: the namespace of this repository's functions, the one of the soak's own, or nobody's. */
export type Namespace = 'project' | 'own' | 'none';

/** A request, and what its answer has to be. */
export interface Question {
  readonly url: string;
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** Text goes as it is, anything else as JSON. */
  readonly body?: unknown;
  /** By default 200. */
  readonly status?: number;
  /** What stands in the text of the answer. */
  readonly says?: string;
  readonly calls?: Namespace;
  /** Answered by something that is there already, so that its time says how the deployment does. */
  readonly isWarm?: boolean;
}

/** Asks, and keeps what came of it. */
export interface Asking {
  /** The body as JSON, or undefined where there is none. Errors: the answer is not as it has to be, or does not come in time. */
  ask(question: Question): Promise<Json>;
  /** Times of a bare server, to hold the others against. */
  control(url: string): Promise<void>;
  /** From now on times are those of this part of the soak, 0 to 4; undefined: they are not kept. */
  enter(part: number | undefined): void;
  /** How many requests were made, and how many of them were answered as they have to be. */
  readonly made: number;
  readonly right: number;
  readonly calls: Readonly<Record<Namespace, number>>;
  /** Milliseconds that 99 % of the warm requests of each part did not exceed. */
  p99s(): { readonly warm: readonly number[]; readonly control: readonly number[] };
}

export const parts = 5;

/** Longer than a host holds a caller up: what takes more is lost. */
const lostAfterMs = 60_000;

export function asking(patienceMs = lostAfterMs): Asking {
  const calls = { project: 0, own: 0, none: 0 };
  const times = { warm: emptyParts(), control: emptyParts() };
  let part: number | undefined;
  let [made, right] = [0, 0];
  const keep = (kind: keyof typeof times, in_: number | undefined, ms: number): void => {
    if (in_ !== undefined) times[kind][in_]?.push(ms);
  };
  return {
    async ask(question) {
      const { calls: namespace = 'none', isWarm = false, status = 200, says = '' } = question;
      made += 1;
      calls[namespace] += 1;
      const begunIn = part;
      const startedAt = performance.now();
      const asked = `${question.method ?? 'GET'} ${new URL(question.url).pathname}`;
      const answer = await answered(question.url, requestOf(question), patienceMs).catch((error: Error) => {
        throw new Error(`${asked}: ${error.message}`, { cause: error });
      });
      if (isWarm) keep('warm', begunIn, performance.now() - startedAt);
      if (answer.status !== status || !answer.text.includes(says))
        throw new Error(`${asked}: ${answer.status} ${answer.text.slice(0, 300)}`);
      const body = answer.text === '' ? undefined : JSON.parse(answer.text);
      right += 1;
      return body;
    },
    async control(url) {
      const begunIn = part;
      const startedAt = performance.now();
      await answered(url, {}, patienceMs);
      keep('control', begunIn, performance.now() - startedAt);
    },
    enter(next) {
      part = next;
    },
    get made() {
      return made;
    },
    get right() {
      return right;
    },
    calls,
    p99s: () => ({ warm: times.warm.map(p99), control: times.control.map(p99) }),
  };
}

/** The whole answer. Errors: it has not come after so long. */
async function answered(
  url: string,
  request: RequestInit,
  patienceMs: number,
): Promise<{ readonly status: number; readonly text: string }> {
  const signal = AbortSignal.timeout(patienceMs);
  try {
    const answer = await fetch(url, { ...request, signal });
    return { status: answer.status, text: await answer.text() };
  } catch (error) {
    if (signal.aborted) throw new Error(`no answer within ${patienceMs} ms`, { cause: error });
    throw error;
  }
}

function requestOf({ method = 'GET', headers = {}, body }: Question): RequestInit {
  if (body === undefined) return { method, headers };
  const isText = typeof body === 'string';
  return { method, headers: { 'content-type': 'application/json', ...headers }, body: isText ? body : JSON.stringify(body) };
}

function emptyParts(): number[][] {
  return Array.from({ length: parts }, () => []);
}

function p99(values: readonly number[]): number {
  return percentile(values, 0.99);
}
