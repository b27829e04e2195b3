import { isRecord } from '../catalogue/is-record.ts';
import type { ErrorCode } from '../errors.ts';

/** One call, as the log has it: what was asked for, by whom, and how it ended; never an argument or a token. */
export interface CallRecord {
  readonly protocol: 'MCP' | 'JSON' | 'direct';
  /** The tool, or the method where no tool was called. */
  readonly call: string;
  readonly outcome: 'ok' | ErrorCode;
  /** The caller's name in `ACCESS_TOKENS`, or `bearer`. */
  readonly caller: string;
  /** What the client calls itself. */
  readonly client?: string;
  readonly activationId?: string;
}

export type CallLog = (record: CallRecord) => void;

/** Writes a record as one line of JSON to the function's log. */
export const writeCallLog: CallLog = (record) => {
  process.stdout.write(`${JSON.stringify({ log: 'call', ...record })}\n`);
};

/** What a client says it is: in the `_meta` of the newest revision, else in the first word of its user agent. */
export function clientName(headers: Readonly<Record<string, string>>, meta?: unknown): string | undefined {
  const info = isRecord(meta) ? meta['io.modelcontextprotocol/clientInfo'] : undefined;
  const named = isRecord(info) && typeof info.name === 'string' ? info.name : undefined;
  // biome-ignore lint/suspicious/noControlCharactersInRegex: a log line must not carry any
  return (named ?? headers['user-agent']?.split(/[/ ]/)[0])?.replace(/[\u0000-\u001f\u007f-\u009f]/g, '').slice(0, 60) || undefined;
}
