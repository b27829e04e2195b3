import { type Task, taskId, taskTtlMs } from '../../../access/tasks/task.ts';
import type { MethodScope } from '../method.ts';
import { serverMeta } from '../server-info.ts';

/** What is said of a task that is not over. */
export const underWay = 'under way at the platform, which cannot be told to stop it';

/** At first a look may be worth it soon; what takes long takes minutes. */
const soonMs = 1000;
export const laterMs = 5000;
const earlyMs = 30_000;

/** The result of `tools/call` that hands out a task. */
export function startedText(task: Task, { call, served }: MethodScope, sealKey: string): string {
  const toolset = call.catalogue.toolsetOf(call.catalogue.tool(task.tool));
  const id = taskId(task, toolset, call.caller, sealKey);
  const meta = { 'deckhand/tool': task.tool, 'deckhand/activationId': served.context.activationId, ...serverMeta };
  return JSON.stringify({ resultType: 'task', ...described(id, task), status: 'working', statusMessage: underWay, _meta: meta });
}

/** What every answer says of a task. */
export function described(id: string, { startedAt }: Task): Readonly<Record<string, unknown>> {
  const createdAt = new Date(startedAt).toISOString();
  const pollIntervalMs = Date.now() - startedAt < earlyMs ? soonMs : laterMs;
  return { taskId: id, createdAt, lastUpdatedAt: createdAt, ttlMs: taskTtlMs, pollIntervalMs };
}
