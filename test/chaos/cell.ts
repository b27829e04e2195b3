import { callsOf, hintsOf, methodOf, type Tool } from '../../lib/catalogue/tool.ts';
import type { Trouble } from './faults.ts';

/** Which of a call's requests meet the trouble: those that read, the one that writes, or those that wait for what was set going to be over. */
export type Struck = 'read' | 'write' | 'wait';

/** One call that goes wrong in one way. */
export interface Cell {
  readonly tool: Tool;
  readonly struck: Struck;
  readonly trouble: Trouble;
  /** What `getRemainingTimeInMillis()` says when the call begins. */
  readonly budgetMs: number;
  readonly protocol: 'JSON' | 'MCP';
}

/** Kept back by the functions to answer in; a call with no more than this sends nothing. */
export const reserveMs = 300;

/** Which requests of a call can be struck. */
export function strikable(tool: Tool, { reads }: { readonly reads: boolean }): readonly Struck[] {
  if (hintsOf(tool).readOnly) return ['read'];
  return [...(reads ? (['read'] as const) : []), 'write', ...(tool.follow && !reads ? (['wait'] as const) : [])];
}

/** The method of the requests that are struck. No tool writes by two. */
export function methodStruck({ tool, struck }: Cell): string {
  const write = callsOf(tool)
    .map(methodOf)
    .find((method) => method !== 'GET');
  return struck === 'write' ? (write ?? 'GET') : 'GET';
}

export function isWrite({ tool }: Pick<Cell, 'tool'>): boolean {
  return !hintsOf(tool).readOnly;
}

export function nameOf({ tool, struck, trouble, budgetMs, protocol }: Cell): string {
  return `${tool.name}, ${struck} meets ${trouble.name}, ${budgetMs} ms, ${protocol}`;
}
