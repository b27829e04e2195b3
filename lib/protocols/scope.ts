import type { Call, CallScope } from '../access/call.ts';
import { identify } from '../access/callers.ts';
import { noInput } from '../access/client-input.ts';
import { narrow, noWishes, requestedSelection, type SelectionRequest, select } from '../access/selection.ts';
import type { Store } from '../access/store/store.ts';
import type { Catalogue } from '../catalogue/catalogue.ts';
import { isRecord } from '../catalogue/is-record.ts';
import { hintsOf } from '../catalogue/tool.ts';
import type { Budget } from '../functions/budget.ts';
import type { Context } from '../functions/context.ts';
import type { WebRequest } from '../functions/event.ts';
import type { Destination } from '../functions/forward.ts';
import type { FunctionResponse } from '../functions/response.ts';
import type { Settings } from '../functions/settings.ts';
import type { CallLog } from './call-log.ts';
import type { LateSearch } from './late-search.ts';
import type { Methods } from './mcp/method.ts';

/** One invocation as the protocols see it. */
export interface Served {
  readonly catalogue: Catalogue;
  readonly search: LateSearch;
  readonly settings: Settings;
  readonly context: Context;
  readonly budget: Budget;
  /** The methods of MCP that are mounted. */
  readonly methods: Methods;
  readonly log: CallLog;
  /** What this instance keeps to itself from one invocation to the next. */
  readonly memory: Store;
  /** True for the function that serves every tool. */
  readonly router: boolean;
  /** True for the router where it hands calls on to the functions of the domains. */
  readonly forwards: boolean;
}

/** Who calls, and what they asked to see, for one web request. Throws what `identify` and `select` throw. */
export async function scopeOf(request: WebRequest, served: Served, path: SelectionRequest = noWishes): Promise<CallScope> {
  const { catalogue, settings, budget, memory } = served;
  const caller = await identify(request.headers.authorization, settings, budget);
  const wishes = narrow(path, requestedSelection(request.query, request.headers));
  // A router is the one that passes requests on: what says so to it is somebody else.
  const selection = select(catalogue, settings, caller, { ...wishes, forwarded: wishes.forwarded && !served.router });
  return {
    catalogue,
    settings,
    caller,
    selection,
    budget,
    input: noInput,
    memory,
    traceparent: traceOf(request.headers.traceparent),
    note: () => {},
  };
}

/** The trace that a request names, if that is one (W3C Trace Context). */
export function traceOf(traceparent: unknown): string | undefined {
  return typeof traceparent === 'string' && /^[0-9a-f]{2}-[0-9a-f]{32}-[0-9a-f]{16}-[0-9a-f]{2}$/.test(traceparent)
    ? traceparent
    : undefined;
}

/** Where a call is handed to; undefined where it runs here. Throws `unknown_tool` and `forbidden`. */
export function handedTo(call: Call, scope: CallScope, served: Served): Destination | undefined {
  if (!served.forwards) return undefined;
  const tool = scope.catalogue.tool(call.tool);
  scope.selection.require(tool);
  return { toolset: scope.catalogue.toolsetOf(tool), readOnly: hintsOf(tool).readOnly };
}

/**
 * Lets the function of a domain answer in this one's place. What carries the request is loaded with the first that is handed over.
 *
 * @param isAnswer tells an answer of the function from what the platform says when the function failed
 * @throws what `forward` throws, and the same where the answer is none of the function's
 */
export async function handOver(
  request: WebRequest,
  destination: Destination,
  served: Served,
  isAnswer: (body: Readonly<Record<string, unknown>>) => boolean,
): Promise<FunctionResponse> {
  const { forward, platformAnswer } = await import('../functions/forward.ts');
  const response = await forward(request, destination, served.context, served.budget);
  if (isAnswer(recordIn(response.body))) return response;
  throw platformAnswer(destination, response.statusCode);
}

/** The JSON object in a text; an empty one where there is none. */
export function recordIn(text: string | undefined): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(text ?? '');
    return isRecord(value) ? value : {};
  } catch {
    return {};
  }
}
