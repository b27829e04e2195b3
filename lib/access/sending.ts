import type { Tool } from '../catalogue/tool.ts';
import type { PlatformRequest } from '../client/request.ts';
import type { Platform } from '../client/send.ts';
import type { CallScope } from './call.ts';

/** Sends one request of a call, and returns the reply's body. */
export type Send = (request: PlatformRequest) => Promise<unknown>;

/** How a call sends requests. */
export function sender(tool: Tool, scope: CallScope): Send {
  return sendingTo(tool, {
    ...platformOf(scope),
    signal: scope.budget.signal,
    remainingMs: scope.budget.remainingMs,
    readOnly: scope.selection.readOnly,
    heard: (platformRequestId) => scope.note({ platformRequestId }),
  });
}

/** A way to look at the platform, and what is left of its time. */
export interface Reader {
  readonly send: Send;
  readonly remainingMs: () => number;
}

/** How a call looks, before or after it changes something: by reads alone, which end in time for an answer. */
export function reader(tool: Tool, scope: CallScope, longestMs: number): Reader {
  const allowedMs = Math.max(0, Math.min(longestMs, scope.budget.remainingMs()));
  const endsAt = performance.now() + allowedMs;
  const remainingMs = () => Math.max(0, endsAt - performance.now());
  const signal = AbortSignal.any([scope.budget.signal, AbortSignal.timeout(Math.ceil(allowedMs))]);
  return { send: sendingTo(tool, { ...platformOf(scope), signal, remainingMs, readOnly: true }), remainingMs };
}

function platformOf({ settings, caller, traceparent }: CallScope): Pick<Platform, 'url' | 'token' | 'traceparent'> {
  return { url: settings.platformUrl, token: caller.platformToken, ...(traceparent !== undefined && { traceparent }) };
}

function sendingTo(tool: Tool, platform: Platform): Send {
  return async (request) => {
    // Loaded with the first call: what only lists tools does without the network's modules.
    const { send } = await import('../client/send.ts');
    return send(tool.name, request, platform);
  };
}
