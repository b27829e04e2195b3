import type { Call, CallScope } from '../access/call.ts';
import { identify } from '../access/callers.ts';
import { narrow, requestedSelection, type SelectionRequest, select } from '../access/selection.ts';
import type { Catalogue } from '../catalogue/catalogue.ts';
import type { Budget } from '../functions/budget.ts';
import type { Context } from '../functions/context.ts';
import type { WebRequest } from '../functions/event.ts';
import type { FunctionResponse } from '../functions/response.ts';
import type { Settings } from '../functions/settings.ts';
import type { CallLog } from './call-log.ts';

/** One invocation as the protocols see it. */
export interface Served {
  readonly catalogue: Catalogue;
  readonly settings: Settings;
  readonly context: Context;
  readonly budget: Budget;
  readonly log: CallLog;
  /** True for the router where it hands calls on to the functions of the domains. */
  readonly forwards: boolean;
}

/** Who calls, and what they asked to see, for one web request. Throws what `identify` and `select` throw. */
export function scopeOf(request: WebRequest, served: Served, path: SelectionRequest = {}): CallScope {
  const { catalogue, settings, budget } = served;
  const caller = identify(request.headers.authorization, settings);
  const selection = select(catalogue, settings, narrow(path, requestedSelection(request.query, request.headers)));
  return { catalogue, settings, caller, selection, budget };
}

/** The domain whose function a call is handed to; undefined where it runs here. Throws `unknown_tool` and `forbidden`. */
export function handedTo(call: Call, scope: CallScope, served: Served): string | undefined {
  if (!served.forwards) return undefined;
  const tool = scope.catalogue.tool(call.tool);
  scope.selection.require(tool);
  return scope.catalogue.toolsetOf(tool);
}

/** Lets the function of a domain answer in this one's place. What carries the request is loaded with the first that is handed over. */
export async function handOver(request: WebRequest, toolset: string, served: Served): Promise<FunctionResponse> {
  const { forward } = await import('../functions/forward.ts');
  return forward(request, toolset, served.context, served.budget);
}
