import { createSecureContext, getCACertificates } from 'node:tls';
import { SECOND_MS } from '../calendar.ts';
import { withinCourse } from './course.ts';
import { ProbeAbandoned } from './failure.ts';
import { gate } from './gate.ts';
import { probeHttp } from './http-probe.ts';
import { probePing } from './ping-probe.ts';
import type { ProbeResult } from './result.ts';

/** What is to be probed. */
export interface ProbeOrder {
  readonly type: 'ping' | 'http' | 'https';
  readonly target: string;
  /** The moment on the account's clock. */
  readonly atMs: number;
}

export interface ProberOptions {
  /** After how long a target counts as down; 10 s by default. */
  readonly timeoutMs?: number;
  /** Authorities, as PEM, that certificates are trusted of beside the usual ones. */
  readonly authorities?: readonly string[];
  /** The command that asks for echoes; `ping` by default. */
  readonly pingCommand?: string;
  /** How many probes may be on their way at once, beside pings; 1000 by default. What is more waits its turn, and its time begins with that. */
  readonly atOnce?: number;
  /** How many pings, each a process of its own; 64 by default. */
  readonly pingsAtOnce?: number;
}

export interface Prober {
  /** Errors: ProbeAbandoned, and no other: a target that is down is a result. */
  readonly probe: (order: ProbeOrder) => Promise<ProbeResult>;
  /** Cuts short what is on its way; nothing is probed any more. */
  readonly close: () => void;
}

const TIMEOUT_MS = 10 * SECOND_MS;
/** More than the regions of a thousand checks that all hang have open at once. */
const AT_ONCE = 1000;
const PINGS_AT_ONCE = 64;

/** What sends the probes of all accounts, a bounded number at once. */
export function startProber(options: ProberOptions = {}): Prober {
  const { timeoutMs = TIMEOUT_MS, authorities = [], pingCommand = 'ping', atOnce = AT_ONCE, pingsAtOnce = PINGS_AT_ONCE } = options;
  const ending = new AbortController();
  // Apart from each other: hosts that answer no ping keep nothing else waiting.
  const [places, processes] = [gate(atOnce), gate(pingsAtOnce)];
  const ping = { command: pingCommand, timeoutMs };
  // Made once: reading the authorities takes milliseconds.
  const trust = createSecureContext(authorities.length === 0 ? {} : { ca: [...getCACertificates('default'), ...authorities] });
  return {
    probe: ({ type, target, atMs }) =>
      (type === 'ping' ? processes : places)(async () => {
        if (ending.signal.aborted) {
          throw new ProbeAbandoned('the emulator ends');
        }
        return withinCourse(timeoutMs, ending.signal, (course) =>
          type === 'ping' ? probePing(target, course, ping) : probeHttp(target, course, trust, atMs),
        );
      }),
    close: () => ending.abort(),
  };
}
