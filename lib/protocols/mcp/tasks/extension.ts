import { isRecord } from '../../../catalogue/is-record.ts';
import type { Settings } from '../../../functions/settings.ts';
import { clientCapabilities } from '../input.ts';
import type { RpcRequest } from '../message.ts';

/** The extension by which a call is answered with a task, as capabilities name it (ext-tasks, specification/2026-07-28/tasks). */
export const tasksExtension = 'io.modelcontextprotocol/tasks';

/** What this server can do of it: only what its key seals can come back to be asked for. */
export function tasksCapability({ sealKey }: Settings): Readonly<Record<string, unknown>> {
  return sealKey === undefined ? {} : { extensions: { [tasksExtension]: {} } };
}

/** Whether the client of a request takes a task for an answer. */
export function knowsTasks(params: RpcRequest['params']): boolean {
  const { extensions } = clientCapabilities(params);
  return isRecord(extensions) && isRecord(extensions[tasksExtension]);
}
