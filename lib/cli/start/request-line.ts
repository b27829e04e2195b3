import type { ActivationEvent } from '../../host/start-host.ts';

/**
 * One line for a request: when, which protocol, what was called, the status, how long, cold or warm, which client. What was called stands in the
 * function's log of calls; a request that called nothing is shown by its address.
 */
export function requestLine(event: ActivationEvent, now = new Date()): string {
  const calls = callsIn(event.logs);
  const what =
    calls.length === 0
      ? [{ protocol: 'HTTP', call: `${event.method} ${withoutToken(event.path)}`, outcome: 'ok', client: undefined }]
      : calls;
  return what
    .map(({ protocol, call, outcome, client }) => {
      const columns = [
        now.toTimeString().slice(0, 8),
        protocol.padEnd(6),
        call.padEnd(32),
        String(event.status),
        `${String(Math.round(event.ms)).padStart(5)} ms`,
        event.cold ? 'cold' : 'warm',
        client ?? event.userAgent?.split('/')[0] ?? '',
        outcome === 'ok' ? '' : outcome,
      ];
      return `${columns.join('  ').trimEnd()}\n`;
    })
    .join('');
}

/** What follows a hook's name may be the token of its address. */
function withoutToken(path: string): string {
  return path.replace(/(\/hooks\/[^/]+\/).+/, '$1[redacted]');
}

interface LoggedCall {
  readonly protocol: string;
  readonly call: string;
  readonly outcome: string;
  readonly client: string | undefined;
}

/** The calls in a function's log, where a line of output is `<time> stdout: <text>`. */
function callsIn(logs: readonly string[]): readonly LoggedCall[] {
  return logs.flatMap((line) => {
    const text = line.slice(line.indexOf(': ') + 2);
    if (!text.startsWith('{"log":"call"')) return [];
    const { protocol, call, outcome, client } = parsed(text);
    return [{ protocol: protocol ?? '', call: call ?? '', outcome: outcome ?? '', client }];
  });
}

/** A line's record; of a line that was cut, nothing. */
function parsed(text: string): Partial<LoggedCall> {
  try {
    // Safe: only the protocols write lines that begin so, and what is missing is shown as missing.
    return JSON.parse(text) as Partial<LoggedCall>;
  } catch {
    return {};
  }
}
