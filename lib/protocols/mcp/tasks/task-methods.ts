import { lookAtTask, type TaskState } from '../../../access/tasks/look-at-task.ts';
import { type Task, taskIn, toolsetIn } from '../../../access/tasks/task.ts';
import { toolsetNames } from '../../../catalogue/toolset-names.ts';
import { ToolError } from '../../../errors.ts';
import { completeText } from '../complete.ts';
import { missingCapability } from '../input.ts';
import { RpcError, type RpcRequest, rpcCodes } from '../message.ts';
import type { MethodScope } from '../method.ts';
import { resultFrom, toolResult } from '../tool-call.ts';
import { knowsTasks, tasksExtension } from './extension.ts';
import { described, laterMs, underWay } from './task-text.ts';

/** Answers `tasks/get`: looks once. */
export async function taskState(message: RpcRequest, scope: MethodScope): Promise<string> {
  return answered(message, scope, async (id, task) => {
    const { tool } = task;
    scope.call.note({ arguments: { tool } });
    return { ...described(id, task), lastUpdatedAt: new Date().toISOString(), ...(await outcomeOf(task, scope)) };
  });
}

/** Answers `tasks/update` and `tasks/cancel`: no task asks for anything, and the platform ends nothing that it has begun. Both may be said all the same. */
export async function acknowledged(message: RpcRequest, scope: MethodScope): Promise<string> {
  return answered(message, scope, async () => ({}));
}

type Fields = Readonly<Record<string, unknown>>;

async function answered(message: RpcRequest, scope: MethodScope, about: (id: string, task: Task) => Promise<Fields>): Promise<string> {
  const { method, params } = message;
  const { call, served } = scope;
  if (!knowsTasks(params)) throw missingCapability({ extensions: { [tasksExtension]: {} } });
  const id = String(params.taskId);
  if (served.forwards) return resultFrom({ toolset: knownToolset(id), readOnly: true }, message, scope);
  const { sealKey } = served.settings;
  const task = sealKey === undefined ? undefined : taskIn(id, call.caller, sealKey);
  if (!task || !call.catalogue.names.includes(task.tool)) {
    scope.log(method, 'invalid_arguments');
    throw unknownTask();
  }
  const answer = completeText(await about(id, task), true);
  scope.log(method, 'ok');
  return answer;
}

async function outcomeOf(task: Task, scope: MethodScope): Promise<Fields> {
  try {
    const state = await lookAtTask(task, scope.call, scope.maxBytes);
    return state.over ? ended(task, state.result, state.failed, scope) : working(state);
  } catch (failure) {
    if (!(failure instanceof ToolError)) throw failure;
    const record = failure.toRecord();
    if (failure.code !== 'forbidden' || failure.details.platform) return ended(task, { error: record }, true, scope);
    scope.log('tasks/get', failure.code);
    throw new RpcError(rpcCodes.invalidParams, 200, failure.message, record);
  }
}

/** A call that a tool failed in is completed, with its failure for a result. */
function ended({ tool }: Task, structured: unknown, failed: boolean, scope: MethodScope): Fields {
  const result: unknown = JSON.parse(toolResult(tool, structured, failed, scope));
  return { status: 'completed', result };
}

function working({ unread }: Extract<TaskState, { readonly over: false }>): Fields {
  if (!unread) return { status: 'working', statusMessage: underWay };
  const pollIntervalMs = Math.max(laterMs, unread.details.retryAfterMs ?? 0);
  return { status: 'working', statusMessage: `it cannot be seen just now: ${unread.message}`, pollIntervalMs };
}

/** Where a question is passed on to. */
function knownToolset(id: string): string {
  const toolset = toolsetIn(id);
  if (toolsetNames.some((name) => name === toolset)) return toolset;
  throw unknownTask();
}

function unknownTask(): RpcError {
  return new RpcError(
    rpcCodes.invalidParams,
    200,
    'there is no such task: it was not handed out to this caller, or it is more than a day old',
  );
}
