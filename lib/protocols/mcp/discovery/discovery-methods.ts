import { takeTurn } from '../../../access/rate.ts';
import { readingOnly, type Selection } from '../../../access/selection.ts';
import { isRecord } from '../../../catalogue/is-record.ts';
import { readArguments } from '../../../catalogue/read-arguments.ts';
import type { Arguments, Tool } from '../../../catalogue/tool.ts';
import { ToolError } from '../../../errors.ts';
import { parseJson } from '../../parse-json.ts';
import { completeText } from '../complete.ts';
import { introduction, introductionTtlMs } from '../introduction.ts';
import { RpcError, rpcCodes } from '../message.ts';
import type { Method, MethodScope, Methods } from '../method.ts';
import { tasksCapability } from '../tasks/extension.ts';
import { taskMethods } from '../tasks/mounted.ts';
import { callResult, readCall, toolResult } from '../tool-call.ts';
import { type DiscoveryTool, discoveryTools, discoveryToolsFor } from './discovery-tools.ts';
import { findTools, nameTools } from './find-tools.ts';
import { discoveryInstructions } from './instructions.ts';

const { initialize, discover } = introduction({ tools: {} }, discoveryInstructions, tasksCapability);

const listTools: Method = ({ params }, { call, modern, log }) => {
  if (params.cursor !== undefined) throw new RpcError(rpcCodes.invalidParams, 200, 'there is one page: a cursor is never handed out');
  log('tools/list', 'ok');
  const cacheScope = call.selection.readOnly ? 'private' : 'public';
  return completeText({ tools: discoveryToolsFor(call.selection) }, modern, { ttlMs: introductionTtlMs, cacheScope });
};

/** A call of one of the three. What it fails with before it has found the tool that is meant is a result too, so that a model gets to see it. */
const callTool: Method = async (message, scope) => {
  const outer = readCall(message.params, scope.request.headers);
  const tool = discoveryTools.find(({ name }) => name === outer.tool);
  if (!tool) throw notHere(outer.tool);
  try {
    const given = readArguments(tool.name, tool.inputSchema, unpacked(outer.arguments));
    if (tool.name === 'tool-search') return await searchResult(given, scope);
    const selection = selectionOf(tool, scope.call.selection);
    const { name } = scope.call.catalogue.tool(String(given.tool));
    return await callResult({ ...outer, tool: name, arguments: given.arguments ?? {} }, message, {
      ...scope,
      call: { ...scope.call, selection },
    });
  } catch (failure) {
    if (!(failure instanceof ToolError)) throw failure;
    scope.log(tool.name, failure.code);
    return toolResult(tool.name, { error: failure.toRecord() }, true, scope);
  }
};

async function searchResult({ query, limit }: Arguments, scope: MethodScope): Promise<string> {
  await takeTurn(scope.call.caller, scope.call);
  const { catalogue, search } = scope.served;
  const shown = { catalogue, search, selection: scope.call.selection };
  const words = typeof query === 'string' ? query.trim() : '';
  scope.log('tool-search', 'ok');
  const found = words === '' ? { toolsets: nameTools(shown) } : await findTools({ query: words, limit: Number(limit) }, shown);
  return toolResult('tool-search', found, false, scope);
}

/** The door that a call through one of the tools goes by. */
function selectionOf({ name }: DiscoveryTool, selection: Selection): Selection {
  if (name === 'tool-read') return readingOnly(selection, 'tool-read calls only what changes nothing; tool-run calls the others');
  return selection.readOnly ? { ...selection, require: (tool) => refuseToRun(tool, selection) } : selection;
}

/** Where nothing may be changed, tool-run is not there. Whoever could change something with another token is told so first. */
function refuseToRun(tool: Tool, selection: Selection): never {
  selection.require(tool);
  throw new ToolError('forbidden', 'tool-run cannot be called: only reading is allowed here; tool-read does that');
}

/** Some models pass an object on as its text. */
function unpacked(given: unknown): unknown {
  if (!isRecord(given) || typeof given.arguments !== 'string') return given;
  try {
    return { ...given, arguments: parseJson(given.arguments) };
  } catch {
    // Then it is refused as the text that it is.
    return given;
  }
}

function notHere(name: string): RpcError {
  const shown = JSON.stringify(name.slice(0, 80));
  const there = discoveryTools.map((tool) => tool.name).join(', ');
  return new RpcError(
    rpcCodes.invalidParams,
    200,
    `no tool ${shown} is listed here; there are ${there}, and tool-run calls all others by name`,
    {
      code: 'unknown_tool',
    },
  );
}

/** A server that lists three tools, by which all others are found and called. */
export const discoveryMethods: Methods = {
  modern: { 'server/discover': discover, 'tools/list': listTools, 'tools/call': callTool },
  legacy: { initialize, ping: () => '{}', 'tools/list': listTools, 'tools/call': callTool },
  sealed: taskMethods,
};
