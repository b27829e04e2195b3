import { fitResult } from '../../client/fit-result.ts';
import { type Arrival, lookAlong, mayPass } from '../../client/trail.ts';
import { ToolError } from '../../errors.ts';
import type { CallScope } from '../call.ts';
import { takeTurn } from '../rate.ts';
import { reader } from '../sending.ts';
import type { Task } from './task.ts';

/** How a task stands: over, with what its call comes to; or under way, as far as is known. */
export type TaskState = ({ readonly over: true } & Arrival) | { readonly over: false; readonly unread?: ToolError };

/** The longest that is looked: whoever asks will ask again. */
const longestLookMs = 8000;

/** Kept back from looking, to answer in. */
const afterLookingMs = 500;

/**
 * Looks once at what a task is about. That is reading: it is open to whoever may call the task's tool, or the one that shows the same, and nothing but GET is
 * sent. What cannot be read just now is no answer yet.
 *
 * @throws ToolError `forbidden` where neither may be called; what can never be read
 */
export async function lookAtTask({ tool: name, trail, startedAt }: Task, scope: CallScope, maxBytes: number): Promise<TaskState> {
  const { catalogue, selection, budget } = scope;
  const tool = catalogue.tool(name);
  if (!selection.admits(tool)) selection.require(catalogue.tool(trail.shownBy));
  try {
    await takeTurn(scope.caller, scope);
    const { send } = reader(tool, scope, Math.min(longestLookMs, budget.remainingMs() - afterLookingMs));
    const arrival = await lookAlong(tool, trail, Date.now() - startedAt, (path) => send({ method: 'GET', path }));
    if (!arrival) return { over: false };
    return { over: true, ...arrival, result: fitResult(arrival.result, maxBytes, { tool: name, input: trail.input, takes: [] }) };
  } catch (failure) {
    if (!(failure instanceof ToolError) || !mayPass(failure)) throw failure;
    return { over: false, unread: failure };
  }
}
