/** How a probe ended. The first two are answers that count as being up; the others tell failures apart. */
export const outcomes = [
  'ok',
  'redirect',
  /** An answer of HTTP whose status is 400 or above. */
  'status',
  'dns',
  /** An address that is never probed: the metadata of a cloud's machines. */
  'blocked',
  'refused',
  'unreachable',
  'timeout',
  'reset',
  'certificate',
  'tls',
  /** An answer that is not HTTP. */
  'protocol',
] as const;

export type Outcome = (typeof outcomes)[number];

/** What a probe was sent by; `emulated`: answered by an instance of the emulated platform, nothing left the machine. */
export type ProbeMethod = 'http' | 'icmp' | 'tcp' | 'emulated';

/** Milliseconds that each step took; a step that was not reached, or not needed, is absent. */
export interface Timings {
  readonly dnsMs?: number;
  readonly connectMs?: number;
  readonly tlsMs?: number;
  /** From the request being sent to the first byte of its answer. */
  readonly firstByteMs?: number;
}

/** What a probe found out. Nothing in it repeats the target: that may hold a password. */
export interface ProbeResult {
  readonly method: ProbeMethod;
  readonly outcome: Outcome;
  /** What went wrong, for people, like "connect timeout"; null when the target is up. */
  readonly error: string | null;
  readonly httpStatus: number | null;
  readonly timings: Timings;
  /** From the beginning to the first byte; null when there was no answer. */
  readonly tookMs: number | null;
  readonly certificateExpiresAtMs: number | null;
}

export function isUp({ outcome }: Pick<ProbeResult, 'outcome'>): boolean {
  return outcome === 'ok' || outcome === 'redirect';
}
