import { isRecord } from '../catalogue/is-record.ts';
import type { ErrorCode } from '../errors.ts';

/** One call, as the log has it: what was asked for, by whom, and how it ended; never an argument or a token. */
export interface CallRecord {
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
}

export type CallLog = (record: CallRecord) => void;

/** Writes a record as one line of JSON to the function's log. */
export const writeCallLog: CallLog = (record) => {
  process.stdout.write(`${JSON.stringify({ log: 'call', ...record, call: printable(record.call) })}\n`);
};

/** A caller's text as a line of a log may carry it: cut, and without what moves a terminal's cursor. */
function printable(text: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is taken out
  return text.slice(0, 80).replace(/[\u0000-\u001f\u007f-\u009f\u200e\u200f\u202a-\u202e\u2066-\u2069]/g, '');
}

/** What a client says it is: in the `_meta` of the newest revision, else in the first word of its user agent. */
export function clientName(headers: Readonly<Record<string, string>>, meta?: unknown): string | undefined {
  const info = isRecord(meta) ? meta['io.modelcontextprotocol/clientInfo'] : undefined;
  const named = isRecord(info) && typeof info.name === 'string' ? info.name : undefined;
  const client = named ?? headers['user-agent']?.split(/[/ ]/)[0];
  return client && (printable(client) || undefined);
}
