import { checkCaps } from '../access/selection.ts';
import { memoryStore } from '../access/store/memory-store.ts';
import { catalogue as joinCatalogue } from '../catalogue/catalogue.ts';
import type { Toolset } from '../catalogue/tool.ts';
import { ToolError } from '../errors.ts';
import { budget } from '../functions/budget.ts';
import { told } from '../functions/bug.ts';
import type { Context } from '../functions/context.ts';
import { bodyBytes, type Event, readEvent, type WebRequest } from '../functions/event.ts';
import { emptyResponse, type FunctionResponse } from '../functions/response.ts';
import { readSettings } from '../functions/settings.ts';
import { type Audit, writeAudit } from './audit.ts';
import { type EngineSource, lateEvaluator } from './expressions/late-evaluator.ts';
import type { Hook } from './hook.ts';
import { receive, refusal } from './receive.ts';
import { hookNamed, type Served } from './served-hooks.ts';

export interface HookService {
  /** What was made of hooks.yml. */
  readonly hooks: readonly Hook[];
  /** Loads the source of the expressions' engine. */
  readonly engine: EngineSource;
  readonly toolsets: readonly Toolset[];
  /** What `renderListing` made of the toolsets. */
  readonly listing: string;
  /** Where settings and secrets are read from; default `process.env`. */
  readonly environment?: Readonly<Record<string, string | undefined>>;
  /** Told of every delivery; default: a line of the function's log. */
  readonly audit?: Audit;
}

/** Marks a delivery whose calls are only to be shown. */
export const dryRunHeader = 'x-deckhand-dry-run';

/** The handler of the function that webhooks are sent to. It alone catches; what is not a ToolError is a bug. */
export function serveHooks(service: HookService): (event?: Event, context?: Context) => Promise<FunctionResponse> {
  const catalogue = joinCatalogue(service.toolsets, service.listing);
  const memory = memoryStore();
  const { hooks, audit = writeAudit } = service;
  const evaluate = lateEvaluator(service.engine);
  return async (event = {}, context = {}) => {
    const time = budget(context);
    try {
      const environment = service.environment ?? process.env;
      const settings = readSettings(environment);
      checkCaps(catalogue, settings);
      return await answer(event, { hooks, catalogue, settings, environment, context, budget: time, memory, evaluate, audit });
    } catch (failure) {
      return refusal(told(failure, context));
    } finally {
      time.end();
    }
  };
}

async function answer(event: Event, served: Served): Promise<FunctionResponse> {
  const request = readEvent(event);
  if (request.kind !== 'web') {
    throw new ToolError('invalid_arguments', 'a signature needs the bytes of the request: deploy this function with "web: raw"');
  }
  const segments = request.path.split('/').filter(Boolean).map(decoded);
  switch (request.method) {
    case 'GET':
      return answerPage(segments, request, served);
    case 'POST':
      return answerPost(segments, event, request, served);
    default:
      return emptyResponse(405, { allow: 'GET, POST' });
  }
}

async function answerPage([name, page, ...rest]: readonly string[], request: WebRequest, served: Served): Promise<FunctionResponse> {
  const { deliveries, description, health } = await import('./operate.ts');
  if (name === undefined) return description(request, served);
  if (name === 'health' && page === undefined) return health(served);
  if (page === 'deliveries' && rest.length === 0) return deliveries(name, request, served);
  hookNamed(name, served);
  return emptyResponse(405, { allow: 'POST' });
}

async function answerPost(segments: readonly string[], event: Event, request: WebRequest, served: Served): Promise<FunctionResponse> {
  const [name = '', token, ...rest] = segments;
  if (name === 'deliveries' && token !== undefined && rest.length === 0) {
    const { replay } = await import('./operate.ts');
    return replay(token, request, served);
  }
  const hook = hookNamed(name, served);
  const takesToken = hook.verify.kind === 'url-token';
  if (rest.length > 0 || (token !== undefined && !takesToken)) throw new ToolError('not_found', `nothing is behind the hook ${hook.name}`);
  const { headers, query } = request;
  const delivery = { headers, query, bytes: bodyBytes(event), ...(token !== undefined && { token }) };
  return receive(hook, delivery, { dryRun: headers[dryRunHeader] === 'true' }, served);
}

function decoded(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    throw new ToolError('invalid_arguments', 'the address has a segment that is not percent-encoded right');
  }
}
