import type { Outcome } from './result.ts';

/** Why a target does not count as up. */
export class ProbeFailure extends Error {
  readonly outcome: Outcome;

  constructor(outcome: Outcome, message: string) {
    super(message);
    this.name = 'ProbeFailure';
    this.outcome = outcome;
  }
}

/** A probe that says nothing of its target: it was cut short, or this machine had no means left to carry it out. */
export class ProbeAbandoned extends Error {
  constructor(message: string, cause?: unknown) {
    super(message, { cause });
    this.name = 'ProbeAbandoned';
  }
}

/** What an error of the network says of the target. Nothing of its text is kept: that can repeat the target. Errors: ProbeAbandoned. */
export function failureOf(error: unknown): ProbeFailure {
  if (error instanceof ProbeFailure) {
    return error;
  }
  const code = codeOf(error);
  if (OWN_TROUBLE.has(code)) {
    throw new ProbeAbandoned(`this machine could not send the probe (${code})`, error);
  }
  const [, outcome, message] = KNOWN.find(([pattern]) => pattern.test(code)) ?? UNKNOWN;
  return new ProbeFailure(outcome, outcome === 'unreachable' && message === '' ? `connection failed (${code || 'no code'})` : message);
}

/** The system's code of an error; of several attempts, that of the first. */
export function codeOf(error: unknown): string {
  if (error instanceof AggregateError) {
    return codeOf(error.errors[0]);
  }
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : '';
}

const OWN_TROUBLE: ReadonlySet<string> = new Set(['EMFILE', 'ENFILE', 'ENOBUFS', 'ENOMEM', 'EAGAIN', 'EADDRNOTAVAIL']);

type Known = readonly [code: RegExp, outcome: Outcome, message: string];

const KNOWN: readonly Known[] = [
  [/^ECONNREFUSED$/, 'refused', 'connection refused'],
  [/^(ECONNRESET|EPIPE|ECONNABORTED)$/, 'reset', 'connection reset'],
  [/^ETIMEDOUT$/, 'timeout', 'connect timeout'],
  [/^(EHOSTUNREACH|EHOSTDOWN|ENETUNREACH|ENETDOWN)$/, 'unreachable', 'host unreachable'],
  [/^(ENOTFOUND|ENODATA)$/, 'dns', 'host name not found'],
  [/^EAI_/, 'dns', 'DNS failure'],
  [/^HPE_HEADER_OVERFLOW$/, 'protocol', 'the headers of the answer are too long'],
  [/^HPE_/, 'protocol', 'the answer is not HTTP'],
  [/^(EPROTO|ERR_SSL_|ERR_TLS_)/, 'tls', 'TLS handshake failed'],
];

const UNKNOWN: Known = [/^/, 'unreachable', ''];
