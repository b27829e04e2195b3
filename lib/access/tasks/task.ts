import { isRecord } from '../../catalogue/is-record.ts';
import type { Trail } from '../../client/trail.ts';
import type { Caller } from '../callers.ts';
import { callerDigest } from '../consent/binding.ts';
import { seal, unseal } from '../seal.ts';

/** Something that a call set going and that its caller comes back to ask for. It is kept nowhere: all of it is in its id. */
export interface Task {
  readonly tool: string;
  readonly trail: Trail;
  /** Milliseconds since the epoch. */
  readonly startedAt: number;
}

/** How long may be asked for a task. */
export const taskTtlMs = 24 * 60 * 60_000;

const purpose = 'task';

/** The id of a task for one caller. It begins with the toolset that can tell of it, for those who only pass the question on; the rest is sealed. */
export function taskId(task: Task, toolset: string, caller: Caller, sealKey: string): string {
  return `${toolset}.${seal([purpose, callerDigest(caller), task], sealKey)}`;
}

/** The toolset that an id says it belongs to: nothing that can be relied on. */
export function toolsetIn(id: string): string {
  return id.slice(0, Math.max(0, id.indexOf('.')));
}

/** The task of an id; undefined for one that was not handed out, was changed, is another caller's, or too old. */
export function taskIn(id: string, caller: Caller, sealKey: string): Task | undefined {
  const content = unseal(id.slice(id.indexOf('.') + 1), sealKey);
  if (!Array.isArray(content)) return undefined;
  const [sealedFor, whose, task]: readonly unknown[] = content;
  if (sealedFor !== purpose || whose !== callerDigest(caller) || !isRecord(task)) return undefined;
  // Safe: what is sealed for this purpose was sealed by `taskId`.
  const opened = task as unknown as Task;
  return opened.startedAt + taskTtlMs > Date.now() ? opened : undefined;
}
