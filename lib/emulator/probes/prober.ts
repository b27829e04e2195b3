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
}

export interface Prober {
  /** Errors: ProbeAbandoned, and no other: a target that is down is a result. */
  readonly probe: (order: ProbeOrder) => Promise<ProbeResult>;
  /** Cuts short what is on its way; nothing is probed any more. */
  readonly close: () => void;
}

const TIMEOUT_MS = 10 * SECOND_MS;
/** More than the regions of a thousand checks that all hang have open at once. */
const MAX_PROBES = 1000;
const MAX_PROCESSES = 16;

/** What sends the probes of all accounts, a bounded number at once. */
export function startProber({ timeoutMs = TIMEOUT_MS, authorities = [], pingCommand = 'ping' }: ProberOptions = {}): Prober {
  const ending = new AbortController();
  const places = gate(MAX_PROBES);
  const ping = { command: pingCommand, timeoutMs, gate: gate(MAX_PROCESSES) };
  // Made once: reading the authorities takes milliseconds.
  const trust = createSecureContext(authorities.length === 0 ? {} : { ca: [...getCACertificates('default'), ...authorities] });
  return {
    probe: ({ type, target, atMs }) =>
      places(async () => {
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
