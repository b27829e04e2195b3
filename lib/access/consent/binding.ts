import type { Arguments, Tool } from '../../catalogue/tool.ts';
import type { Settings } from '../../functions/settings.ts';
import type { Caller } from '../callers.ts';

/** What a call is, for comparison: who makes it, and a digest of what is asked for. */
export interface Binding {
  readonly caller: string;
  readonly call: string;
}

/** The binding of a call. Arguments are compared as they were read, so that neither their order nor their spelling matters. */
export function bindingOf(caller: Caller, tool: Tool, input: Arguments): Binding {
  return { caller: callerDigest(caller), call: digest([tool.name, canonical(input)]) };
}

/** Who a caller is, for comparison. */
export function callerDigest({ name, subject, bearer = '' }: Caller): string {
  return digest([name, subject ?? bearer]).slice(0, 16);
}

/** What seals that which this caller is handed: the installation's key, or else one that only who shows the caller's token can have. */
export function sealSecret(caller: Caller, settings: Settings): string {
  const secret = settings.sealKey ?? caller.bearer;
  if (secret === undefined) throw new Error(`nothing can be sealed for ${caller.name}: there is no key`);
  return secret;
}

/** A digest of anything that JSON can carry. */
export function digest(value: unknown): string {
  return process.getBuiltinModule('node:crypto').createHash('sha256').update(JSON.stringify(value)).digest('base64url');
}

/** A value with the members of its objects in order. */
function canonical(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(canonical);
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).filter(([, content]) => content !== undefined);
  return Object.fromEntries(entries.sort(([a], [b]) => (a < b ? -1 : 1)).map(([name, content]) => [name, canonical(content)]));
}
