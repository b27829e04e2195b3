import type { CallScope } from '../access/call.ts';
import type { Notes } from '../access/notes.ts';
import type { ErrorCode, ToolError } from '../errors.ts';
import type { CallOutcome, Outcome } from './outcome.ts';
import type { PlannedCall } from './plan.ts';

/** How the calls of a delivery are made. */
export interface CarryOutScope extends Omit<CallScope, 'note'> {
  /** Shows what would be changed, and changes nothing. */
  readonly dryRun: boolean;
  /** Turns what is no ToolError into one, and tells whoever mends bugs. */
  readonly told: (failure: unknown) => ToolError;
}

/** How long a sender is asked to wait where nothing says better. */
const usualRetryMs = 30_000;

/**
 * Makes the calls of a delivery, one after the other; the first that fails is the last. What it failed with decides whether the delivery may be sent
 * again: only where nothing was changed before.
 */
export async function carryOut(plan: readonly PlannedCall[], scope: CarryOutScope): Promise<Outcome> {
  const { perform } = await import('../access/call.ts');
  const calls: CallOutcome[] = [];
  for (const call of plan) {
    let notes: Notes = {};
    const note = (more: Notes) => {
      notes = { ...notes, ...more };
    };
    const told = () => ({ tool: call.tool, arguments: notes.arguments, platformRequestId: notes.platformRequestId });
    try {
      const given = scope.dryRun && !call.readOnly ? { ...call.arguments, DryRun: true } : call.arguments;
      const result = await perform({ tool: call.tool, arguments: given }, { ...scope, note });
      calls.push({ ...told(), isError: false, ...(scope.dryRun && !call.readOnly && { result }) });
    } catch (failure) {
      const error = scope.told(failure);
      const done = plan.slice(0, calls.length).some(({ readOnly }) => !readOnly);
      calls.push({ ...told(), isError: true, code: error.code, message: error.message });
      return { status: 'failed', calls, ...(!done && retryOf(error)) };
    }
  }
  return { status: 'done', calls };
}

/** Failures after which nothing has happened, and which pass. */
const passing: ReadonlySet<ErrorCode> = new Set(['rate_limited', 'platform_unavailable', 'deadline_exceeded', 'not_configured']);

/** When a delivery that met this failure may be sent again; nothing where that would not help. */
export function retryOf(error: ToolError): { readonly retryAfterMs?: number } {
  return passing.has(error.code) ? { retryAfterMs: error.details.retryAfterMs ?? usualRetryMs } : {};
}
