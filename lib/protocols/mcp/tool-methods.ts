import { completeText } from './complete.ts';
import { introduction, introductionTtlMs } from './introduction.ts';
import { RpcError, rpcCodes } from './message.ts';
import type { Method, Methods } from './method.ts';
import { tasksCapability } from './tasks/extension.ts';
import { taskMethods } from './tasks/mounted.ts';
import { callResult, readCall } from './tool-call.ts';
import { toolList } from './tool-list.ts';

const { initialize, discover } = introduction({ tools: {} }, undefined, tasksCapability);

/** The whole list in one page: clients of older kits never ask for a second one. */
const listTools: Method = ({ params }, { call, modern, request, log }) => {
  if (params.cursor !== undefined) throw new RpcError(rpcCodes.invalidParams, 200, 'there is one page: a cursor is never handed out');
  log('tools/list', 'ok');
  const { selection, catalogue } = call;
  const tools = toolList(catalogue, selection, request.query);
  if (!modern) return `{"tools":${tools}}`;
  const cacheScope = selection.everything ? 'public' : 'private';
  return `{"tools":${tools},${completeText({}, true, { ttlMs: introductionTtlMs, cacheScope }).slice(1)}`;
};

const callTool: Method = (message, scope) => callResult(readCall(message.params, scope.request.headers), message, scope);

/** A server of tools in every revision, and of the tasks that they become. */
export const toolMethods: Methods = {
  modern: { 'server/discover': discover, 'tools/list': listTools, 'tools/call': callTool },
  legacy: { initialize, ping: () => '{}', 'tools/list': listTools, 'tools/call': callTool },
  sealed: taskMethods,
};
