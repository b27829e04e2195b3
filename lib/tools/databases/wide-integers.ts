import { z } from 'zod';
import { isRecord } from '../../catalogue/is-record.ts';
import { sourceJson } from '../../catalogue/source-json.ts';
import type { Problem } from '../../errors.ts';

/** An integer of up to 64 bits: as a number, or as text where a number would lose digits. */
export function wideInteger() {
  return z.union([z.int(), z.string()]).optional();
}

/** The settings of 64 bits that the platform has and the specification does not name. */
const unnamedWide: ReadonlySet<string> = new Set([
  'log_cleaner_max_compaction_lag_ms',
  'log_flush_interval_messages',
  'log_roll_ms',
  'group_concat_max_len',
  'max_seeks_for_key',
  'ism_history_max_docs',
  'max_failover_replication_time_lag',
]);

/**
 * The value of a JSON text in which integers that a number cannot hold stay as they are written: they are sent as those digits. In a text they are
 * taken for integers too, since that is how they get here unharmed; small ones where the setting is known to be one of 64 bits.
 */
export function parseWide(text: string): unknown {
  return sourceJson.parse(text, (name, value, { source }) => {
    const digits = typeof value === 'string' ? value : typeof value === 'number' ? source : undefined;
    if (digits !== undefined && isWide(digits)) return sourceJson.rawJSON(digits);
    return typeof value === 'string' && unnamedWide.has(name) && isSmall(value) ? Number(value) : value;
  });
}

/** The same for a value. */
export function withWideIntegers(value: unknown): unknown {
  return parseWide(JSON.stringify(value));
}

/** The problems of numbers that lost digits on their way here. */
export function lostDigits(field: string, value: unknown): readonly Problem[] {
  if (Array.isArray(value)) return value.flatMap((item, index) => lostDigits(`${field}[${index}]`, item));
  if (isRecord(value)) return Object.entries(value).flatMap(([name, member]) => lostDigits(`${field}.${name}`, member));
  if (!Number.isInteger(value) || Number.isSafeInteger(value)) return [];
  return [{ field, got: String(value), expected: 'an integer up to 9007199254740991; a larger one as text' }];
}

/** Whether it is an integer of 64 bits, with a sign or without, that a number cannot hold. */
function isWide(digits: string): boolean {
  if (!/^-?[1-9]\d{15,19}$/.test(digits) || Number.isSafeInteger(Number(digits))) return false;
  const integer = BigInt(digits);
  return BigInt.asIntN(64, integer) === integer || BigInt.asUintN(64, integer) === integer;
}

function isSmall(digits: string): boolean {
  return /^(0|-?[1-9]\d*)$/.test(digits) && Number.isSafeInteger(Number(digits));
}
