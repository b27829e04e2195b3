import type { Note, Notes } from '../access/notes.ts';
import { isRecord } from '../catalogue/is-record.ts';
import { printable } from '../catalogue/printable.ts';
import type { ErrorCode } from '../errors.ts';
import type { Budget } from '../functions/budget.ts';

/** One call, as the log has it: what was asked for, by whom, what was decided, and how it ended; never a secret or a token. */
export interface CallRecord extends Notes {
  readonly protocol: 'MCP' | 'JSON' | 'direct';
  /** The tool, or the method where no tool was called. */
  readonly call: string;
  /** `input_required`: the client was asked, and nothing was done yet. */
  readonly outcome: 'ok' | 'input_required' | ErrorCode;
  /** The caller's name in `ACCESS_TOKENS`, or `bearer`. */
  readonly caller: string;
  /** What the client calls itself. */
  readonly client?: string;
  readonly activationId?: string;
  readonly traceparent?: string;
  /** When it began, in ISO 8601. */
  readonly time: string;
  readonly durationMs: number;
  /** What was left of the time that the call may take. */
  readonly remainingMs: number;
}

export type CallLog = (record: CallRecord) => void;

/** Writes a record as one line of JSON to the function's log. */
export const writeCallLog: CallLog = (record) => {
  process.stdout.write(`${printable(JSON.stringify({ log: 'call', ...record, call: printable(record.call.slice(0, 80)) }))}\n`);
};

/** A call whose record is not finished. */
export interface OpenRecord {
  readonly note: Note;
  /** Finishes the record and writes it. */
  end(call: string, outcome: CallRecord['outcome']): void;
}

/** Begins the record of a call. */
export function openRecord(
  about: Pick<CallRecord, 'protocol' | 'caller' | 'client' | 'activationId' | 'traceparent'>,
  { log, budget }: { readonly log: CallLog; readonly budget: Budget },
): OpenRecord {
  const time = new Date().toISOString();
  const beganAt = performance.now();
  let learnt: Notes = {};
  return {
    note: (more) => {
      learnt = { ...learnt, ...more };
    },
    end(call, outcome) {
      const durationMs = Math.round(performance.now() - beganAt);
      const { protocol, ...others } = about;
      log({ protocol, call, outcome, ...others, ...learnt, time, durationMs, remainingMs: Math.round(budget.remainingMs()) });
    },
  };
}

/** What a client says it is: in the `_meta` of the newest revision, else in the first word of its user agent. */
export function clientName(headers: Readonly<Record<string, string>>, meta?: unknown): string | undefined {
  const info = isRecord(meta) ? meta['io.modelcontextprotocol/clientInfo'] : undefined;
  const named = isRecord(info) && typeof info.name === 'string' ? info.name : undefined;
  const client = named ?? headers['user-agent']?.split(/[/ ]/)[0];
  return client && (printable(client.slice(0, 80)) || undefined);
}
