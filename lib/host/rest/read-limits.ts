import type { Limits } from '../functions/function-record.ts';
import { functionLimits } from '../limits.ts';
import { type Content, malformed, readObject } from './read-content.ts';

export const defaultLimits: Limits = {
  timeout: functionLimits.timeoutMs.default,
  memory: functionLimits.memoryMib.default,
  logs: functionLimits.logsMib.default,
  concurrency: 1,
};

/** The limits that a request names. HostError `bad_request` outside of their range. */
export function readLimits(content: Content): Partial<Limits> {
  const limits = readObject(content, 'limits') ?? {};
  const { timeoutMs, memoryMib, logsMib } = functionLimits;
  const timeout = readLimit(limits, 'timeout', timeoutMs);
  const memory = readLimit(limits, 'memory', memoryMib);
  const logs = readLimit(limits, 'logs', logsMib);
  return { ...(timeout !== undefined && { timeout }), ...(memory !== undefined && { memory }), ...(logs !== undefined && { logs }) };
}

function readLimit(limits: Content, key: string, { least, most }: { readonly least: number; readonly most: number }): number | undefined {
  const value = limits[key];
  if (value === undefined || value === null) return undefined;
  if (typeof value === 'number' && Number.isInteger(value) && value >= least && value <= most) return value;
  throw malformed(`limits.${key}`, `a whole number from ${least} to ${most}`, value);
}
