import { identifyByToken } from '../access/callers.ts';
import { opensEverything } from '../access/granted.ts';
import { ToolError } from '../errors.ts';
import type { WebRequest } from '../functions/event.ts';
import { type FunctionResponse, jsonResponse } from '../functions/response.ts';
import { deliveryOf } from './delivery-log.ts';
import type { Hook } from './hook.ts';
import { dedupeWords, readinessOf } from './readiness.ts';
import { receive } from './receive.ts';
import { hookNamed, logOf, type Served } from './served-hooks.ts';

/** `GET /health`: which hooks are ready, and what those that are not lack. */
export function health({ hooks, settings, environment }: Served): FunctionResponse {
  const states = hooks.map((hook) => {
    const readiness = readinessOf(hook, settings, environment);
    const missing = 'missing' in readiness ? readiness.missing : [];
    return { name: hook.name, ready: missing.length === 0, missing, dedupe: dedupeWords(hook, settings) };
  });
  return jsonResponse(200, { status: 'ok', hooks: states });
}

/** `GET /`: how the hooks of the one who asks are called and signed, for those who try them. Secrets by name alone. */
export function description(request: WebRequest, served: Served): FunctionResponse {
  const hooks = served.hooks.filter((hook) => isCallerOf(hook, request, served));
  if (hooks.length === 0) throw notTheirs('any hook');
  return jsonResponse(200, {
    hooks: hooks.map(({ name, verify, secrets, caller, maxBytes, writes }) => ({ name, verify, secrets, caller, maxBytes, writes })),
  });
}

/** `GET /<name>/deliveries`: the last deliveries, newest first, without what was sent. */
export async function deliveries(name: string, request: WebRequest, served: Served): Promise<FunctionResponse> {
  const hook = hookNamed(name, served);
  requireCallerOf(hook, request, served);
  const entries = await (await logOf(served)).list(hook.name);
  return jsonResponse(200, {
    deliveries: entries.map(({ request: kept, ...entry }) => ({ ...entry, replayable: kept !== undefined })),
  });
}

/** `POST /deliveries/<id>`: carries out again the last delivery of this id, wherever it was sent to. */
export async function replay(id: string, request: WebRequest, served: Served): Promise<FunctionResponse> {
  const mine = served.hooks.filter((hook) => isCallerOf(hook, request, served));
  if (mine.length === 0) throw notTheirs('any hook');
  const log = await logOf(served);
  const found = await Promise.all(
    mine.map(async (hook) => ({ hook, entry: (await log.list(hook.name)).find((entry) => entry.id === id) })),
  );
  const [first, second] = found.filter(({ entry }) => entry !== undefined);
  if (!first?.entry) throw new ToolError('not_found', `no delivery ${JSON.stringify(id.slice(0, 80))} is among the last of your hooks`);
  if (second) throw new ToolError('conflict', `${first.hook.name} and ${second.hook.name} both have a delivery ${id}`);
  if (!first.entry.request) throw new ToolError('rejected', `the delivery ${id} was too long to be kept, so it cannot be replayed`);
  return receive(first.hook, deliveryOf(first.entry.request), { replay: true }, served);
}

function requireCallerOf(hook: Hook, request: WebRequest, served: Served): void {
  if (!isCallerOf(hook, request, served)) throw notTheirs(hook.name);
}

/** A hook's deliveries are for whoever has its rights: a replay acts with them. ToolError `unauthenticated` for a token that nobody has. */
function isCallerOf(hook: Hook, { headers }: WebRequest, { settings }: Served): boolean {
  if (!settings.own) throw new ToolError('not_configured', 'without PLATFORM_API_TOKEN and ACCESS_TOKENS no hook acts');
  const { name, grants = [] } = identifyByToken(headers.authorization, settings.own);
  const holdsAllRights = grants.some(opensEverything);
  return name === hook.caller || holdsAllRights;
}

function notTheirs(what: string): ToolError {
  return new ToolError('forbidden', `this is for the callers of hooks; the token shown is not that of ${what}`);
}
