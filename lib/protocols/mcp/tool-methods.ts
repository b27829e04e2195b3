import { completeText } from './complete.ts';
import { introduction, introductionTtlMs } from './introduction.ts';
import { RpcError, rpcCodes } from './message.ts';
import type { Method, Methods } from './method.ts';
import { tasksCapability } from './tasks/extension.ts';
import { taskMethods } from './tasks/mounted.ts';
import { toolList } from './tool-list.ts';

const { initialize, discover } = introduction({ tools: {} }, undefined, tasksCapability);

/** The whole list in one page: clients of older kits never ask for a second one. */
const listTools: Method = async ({ params }, { call, modern, request, log }) => {
  if (params.cursor !== undefined) throw new RpcError(rpcCodes.invalidParams, 200, 'there is one page: a cursor is never handed out');
  log('tools/list', 'ok');
  const { selection, catalogue } = call;
  const tools = await toolList(catalogue, selection, request.query);
  if (!modern) return `{"tools":${tools}}`;
  const cacheScope = selection.everything ? 'public' : 'private';
  return `{"tools":${tools},${completeText({}, true, { ttlMs: introductionTtlMs, cacheScope }).slice(1)}`;
};

/** What carries a call out is loaded with the first: to list the tools it is not needed. */
const callTool: Method = async (message, scope) => {
  const { callResult, readCall } = await import('./tool-call.ts');
  return callResult(readCall(message.params, scope.request.headers), message, scope);
};

/** A server of tools in every revision, and of the tasks that they become. */
export const toolMethods: Methods = {
  modern: { 'server/discover': discover, 'tools/list': listTools, 'tools/call': callTool },
  legacy: { initialize, ping: () => '{}', 'tools/list': listTools, 'tools/call': callTool },
  sealed: taskMethods,
};
