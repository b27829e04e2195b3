import { printable } from '../catalogue/printable.ts';
import type { Outcome } from './outcome.ts';

/** What became of one request to a hook, as the function's log has it: never a secret, a signature, or a token of an address. */
export interface AuditRecord extends Partial<Outcome> {
  readonly hook: string;
  /** The HTTP status it was answered. */
  readonly http: number;
  readonly caller?: string;
  readonly id?: string;
  /** How it was answered; `refused` before it was believed. */
  readonly outcome: Outcome['status'] | 'refused';
  readonly dryRun?: true;
  readonly replay?: true;
  /** How it ended could not be written down. */
  readonly unrecorded?: true;
  readonly client?: string;
  readonly activationId?: string;
  readonly time: string;
  readonly durationMs: number;
}

export type Audit = (record: AuditRecord) => void;

/** Writes a record as one line of JSON to the function's log. */
export const writeAudit: Audit = ({ status: _, ...record }) => {
  process.stdout.write(`${printable(JSON.stringify({ log: 'hook', ...record }))}\n`);
};
