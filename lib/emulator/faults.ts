/** A failure on purpose. What it does happens to every request, or action, that it matches and strikes, `times` times or for ever. */
export interface Fault {
  readonly id: number;
  readonly method?: string;
  /** The beginning of a path, or a pattern in which `*` stands for anything. */
  readonly path?: string;
  /** Answers this status, and `message`, without handling the request; 429 and 503 may carry `retryAfter` seconds. */
  readonly status?: number;
  readonly message?: string;
  readonly retryAfter?: number;
  /** Waits this long, in real time, before the request is handled: the headers are late. */
  readonly delayMs?: number;
  /** Waits this long, in real time, between the headers and the body. */
  readonly bodyDelayMs?: number;
  /** Cuts the connection before, or after, the request was handled and stored. */
  readonly reset?: 'before' | 'after';
  /** Spoils the body of the reply: ends it half way, sends a page of HTML, or blows it up to 5 MiB with white space. */
  readonly body?: 'truncated' | 'not-json' | 'huge';
  /** An action of `type` (of `resource_id`) ends errored. */
  readonly action?: 'errored';
  readonly type?: string;
  readonly resource_id?: number;
  /** Which share of what it matches it strikes, from 0 to 1: by chance, but by the same chance every time for one `seed`. */
  readonly rate?: number;
  readonly seed?: number;
  /** Strikes the last of every so many that it matches. */
  readonly every?: number;
  /** How often it still strikes; null: for ever. */
  readonly times: number | null;
}

export interface Faults {
  readonly add: (fault: Omit<Fault, 'id'>) => Fault;
  readonly all: () => readonly Fault[];
  /** Takes away all of them, or the one with this id; whether there was one. */
  readonly clear: (id?: number) => boolean;
  /** The fault that strikes this request, used up by one. */
  readonly forRequest: (method: string, path: string) => Fault | undefined;
  /** Whether the action that begins now is to end errored. */
  readonly spoilsAction: (type: string, resourceId: number) => boolean;
}

interface Standing {
  readonly fault: Fault;
  /** How many requests or actions it has matched so far. */
  readonly met: number;
}

/** The faults of one account; kept in memory, gone when the emulator stops. */
export function faults(): Faults {
  let current: readonly Standing[] = [];
  let lastId = 0;
  const replace = (fault: Fault, next: Standing | undefined): void => {
    current = current.flatMap((each) => (each.fault !== fault ? [each] : next === undefined ? [] : [next]));
  };
  const use = (matches: (fault: Fault) => boolean): Fault | undefined => {
    for (const { fault, met } of current) {
      if (matches(fault)) {
        const turn = met + 1;
        const struck = strikes(fault, turn);
        const times = struck && fault.times !== null ? fault.times - 1 : fault.times;
        replace(fault, times === 0 ? undefined : { fault: { ...fault, times }, met: turn });
        if (struck) {
          return fault;
        }
      }
    }
    return undefined;
  };
  return {
    add: (description) => {
      lastId += 1;
      const fault = { ...description, id: lastId };
      current = [...current, { fault, met: 0 }];
      return fault;
    },
    all: () => current.map(({ fault }) => fault),
    clear: (id) => {
      const before = current;
      current = id === undefined ? [] : current.filter(({ fault }) => fault.id !== id);
      return current.length < before.length;
    },
    forRequest: (method, path) =>
      use((fault) => fault.action === undefined && (fault.method ?? method) === method && matchesPath(fault.path, path)),
    spoilsAction: (type, resourceId) =>
      use((fault) => fault.action === 'errored' && (fault.type ?? type) === type && (fault.resource_id ?? resourceId) === resourceId) !==
      undefined,
  };
}

function matchesPath(pattern: string | undefined, path: string): boolean {
  if (pattern === undefined) {
    return true;
  }
  if (!pattern.includes('*')) {
    return path.startsWith(pattern);
  }
  const escaped = pattern.split('*').map((part) => part.replace(/[.+?^${}()|[\]\\]/g, '\\$&'));
  return new RegExp(`^${escaped.join('.*')}$`).test(path);
}

function strikes({ rate, seed = 0, every }: Fault, turn: number): boolean {
  if (rate !== undefined) {
    return chance(seed, turn) < rate;
  }
  return every === undefined || turn % every === 0;
}

/** The `turn`th number of a sequence that follows from its seed, from 0 up to 1. Source: the generator known as mulberry32. */
function chance(seed: number, turn: number): number {
  let bits = (seed + Math.imul(turn, 0x6d2b79f5)) | 0;
  bits = Math.imul(bits ^ (bits >>> 15), bits | 1);
  bits ^= bits + Math.imul(bits ^ (bits >>> 7), bits | 61);
  return ((bits ^ (bits >>> 14)) >>> 0) / 2 ** 32;
}
