import type { CallScope } from '../access/call.ts';
import { noInput } from '../access/client-input.ts';
import { metadataPath, resourceMetadata } from '../access/jwt/challenge.ts';
import { takeTurn } from '../access/rate.ts';
import { checkCaps, checkWords, noWishes, select, selectionOfPath } from '../access/selection.ts';
import { memoryStore } from '../access/store/memory-store.ts';
import { type Catalogue, catalogue as joinCatalogue } from '../catalogue/catalogue.ts';
import { deepest, isTooDeep } from '../catalogue/depth.ts';
import type { Toolset } from '../catalogue/tool.ts';
import { ToolError } from '../errors.ts';
import { budget } from '../functions/budget.ts';
import { told } from '../functions/bug.ts';
import type { Context } from '../functions/context.ts';
import { type Event, fieldText, type Invocation, type ParsedRequest, readEvent, type WebRequest } from '../functions/event.ts';
import { emptyResponse, type FunctionResponse, jsonResponse, jsonText } from '../functions/response.ts';
import { readSettings, type Settings } from '../functions/settings.ts';
import { type CallLog, writeCallLog } from './call-log.ts';
import { failureHeaders, failureResponse } from './failure.ts';
import type { DirectAnswer } from './json.ts';
import { lateSearch, type SearchIndexSource } from './late-search.ts';
import { answerMcp } from './mcp/mcp.ts';
import { errorText, rpcErrorOf } from './mcp/message.ts';
import type { Methods } from './mcp/method.ts';
import { schemasWord } from './mcp/tool-list.ts';
import { toolMethods } from './mcp/tool-methods.ts';
import { checkOrigin } from './origin.ts';
import { maxBytesWord } from './result-budget.ts';
import { type Served, scopeOf } from './scope.ts';

export interface Service {
  readonly toolsets: readonly Toolset[];
  /** What `renderListing` made of the toolsets. */
  readonly listing: string;
  /** Loads what `renderSearchIndex` made of them. */
  readonly searchIndex: SearchIndexSource;
  /** The router hands calls on to the domains' functions where the installation says `DISPATCH=forward`. */
  readonly router?: boolean;
  /** Where settings are read from; default `process.env`. */
  readonly environment?: Readonly<Record<string, string | undefined>>;
  /** The methods of MCP that are mounted; default: tools alone. */
  readonly methods?: Methods;
  /** Told of every call; default: a line of the function's log. */
  readonly log?: CallLog;
}

export type Handler = (event?: Event, context?: Context) => Promise<FunctionResponse | DirectAnswer>;

/**
 * The handler of a function that serves tools: it decides once which protocol an event speaks, and answers in it.
 * It is the only place that catches; what is not a ToolError is a bug, told with the activation's id and logged with its stack.
 */
export function serve(service: Service): Handler {
  const catalogue = joinCatalogue(service.toolsets, service.listing);
  const search = lateSearch(service.searchIndex);
  const memory = memoryStore();
  const { methods = toolMethods, log = writeCallLog, router = false } = service;
  let known: Settings | undefined;
  const settingsOf = (): Settings => {
    known ??= checkedSettings(catalogue, service, router);
    return known;
  };
  return async (event = {}, context = {}) => {
    const time = budget(context);
    const invocation = readEvent(event);
    try {
      const settings = settingsOf();
      const forwards = router && settings.dispatch === 'forward';
      return await answer(invocation, { catalogue, search, settings, context, budget: time, methods, log, memory, router, forwards });
    } catch (failure) {
      return answerFailure(invocation, told(failure, context), context);
    } finally {
      time.end();
    }
  };
}

/** The settings, which stay as they are for as long as the process lives. Throws what `readSettings` and `checkCaps` throw. */
function checkedSettings(catalogue: Catalogue, { environment = process.env }: Service, router: boolean): Settings {
  const settings = readSettings(environment, { router });
  checkCaps(catalogue, settings);
  return settings;
}

async function answer(invocation: Invocation, served: Served): Promise<FunctionResponse | DirectAnswer> {
  if (invocation.kind === 'web') return answerWeb(invocation, served);
  if (isTooDeep(invocation.fields)) throw new ToolError('invalid_arguments', `the event is nested deeper than ${deepest} levels`);
  return invocation.kind === 'direct' ? answerDirectly(invocation.fields, served) : answerParsed(invocation, served);
}

async function answerDirectly(fields: Event, served: Served): Promise<DirectAnswer> {
  const { answerDirect, wrapped } = await import('./json.ts');
  return answerDirect(wrapped(fields), () => directScope(served), served);
}

/** A schedule or a direct invocation proved itself to the platform: it has the installation's own token. */
function directScope({ catalogue, settings, budget, memory, forwards }: Served): CallScope {
  if (forwards) {
    throw new ToolError(
      'not_configured',
      'the router hands calls on (DISPATCH=forward), and an invocation that is no web request carries no bearer to hand on; invoke the function of the domain, tools/<toolset>, itself',
    );
  }
  if (!settings.own) {
    throw new ToolError(
      'not_configured',
      'an invocation that is no web request carries no bearer; set PLATFORM_API_TOKEN and ACCESS_TOKENS',
    );
  }
  const caller = { name: 'direct', platformToken: settings.own.token };
  return {
    catalogue,
    settings,
    budget,
    input: noInput,
    memory,
    note: () => {},
    caller,
    selection: select(catalogue, settings, caller, noWishes),
  };
}

/** The bytes of such a request are gone, so it can only be a plain call. */
async function answerParsed(request: ParsedRequest, served: Served): Promise<FunctionResponse> {
  if (request.method !== 'POST') return answerWeb({ ...request, kind: 'web', query: queryOf(request), body: '' }, served);
  const [first = '', tool, ...rest] = segmentsOf(request.path);
  if (first === 'mcp' || 'jsonrpc' in request.fields) {
    throw new ToolError('invalid_arguments', 'MCP needs the bytes of the request: deploy this function with "web: raw"');
  }
  if (rest.length > 0 || (first !== '' && first !== 'tools') || (first === 'tools' && tool === undefined))
    throw noSuchAddress(request.path);
  const web: WebRequest = { ...request, kind: 'web', query: new URLSearchParams(), body: JSON.stringify(request.fields) };
  checkOrigin(web, served.settings);
  const { answerCall, readParsedCall } = await import('./json.ts');
  return answerCall(readParsedCall(tool, request), web, await scopeOf(web, served), served);
}

function queryOf({ fields }: ParsedRequest): URLSearchParams {
  return new URLSearchParams(Object.entries(fields).map(([name, value]): [string, string] => [name, fieldText(value)]));
}

async function answerWeb(request: WebRequest, served: Served): Promise<FunctionResponse> {
  const { method, path } = request;
  const [first = '', ...rest] = segmentsOf(path);
  const stream = method === 'GET' && request.headers.accept?.includes('text/event-stream') === true;
  // Clients of MCP try both right after connecting: neither streams nor sessions are on offer.
  if (method === 'DELETE' || stream) return notAllowed(methodsAt(first, rest));
  const { own } = served.settings;
  if (own?.jwt && method === 'GET' && isMetadata(first, rest))
    return jsonResponse(200, resourceMetadata(own.jwt), { 'cache-control': 'max-age=3600' });
  checkOrigin(request, served.settings);
  if (method === 'GET' || method === 'HEAD') return answerPage(first, rest, request, served);
  if (method !== 'POST' || isPage(first, rest)) return notAllowed(methodsAt(first, rest));
  if (first === 'mcp') {
    checkWords(request.query, mcpWords);
    const discovers = rest[0] === 'discover';
    const scope = await scopeOf(request, served, selectionOfPath(discovers ? rest.slice(1) : rest));
    return answerMcp(request, served, scope, discovers ? await methodsOfDiscovery() : served.methods);
  }
  if (first === 'tools' && rest[0] !== undefined && rest.length === 1) {
    const scope = await scopeOf(request, served);
    const { answerCall, readNamedCall } = await import('./json.ts');
    return answerCall(readNamedCall(rest[0], request), request, scope, served);
  }
  if (first !== '') throw noSuchAddress(path);
  const scope = await scopeOf(request, served);
  if (!speaksRpc(request)) {
    const { answerCall, readWrappedCall } = await import('./json.ts');
    return answerCall(readWrappedCall(request), request, scope, served);
  }
  checkWords(request.query, mcpWords);
  return answerMcp(request, served, scope, served.methods);
}

async function methodsOfDiscovery(): Promise<Methods> {
  const { discoveryMethods } = await import('./mcp/discovery/discovery-methods.ts');
  return discoveryMethods;
}

/** What the address of MCP may say beside the selection. */
const mcpWords = [maxBytesWord, schemasWord];

function segmentsOf(path: string): readonly string[] {
  return path
    .split('/')
    .filter((segment) => segment !== '')
    .map(decodeSegment);
}

/** What everybody may read who wants to get a token, pages of the web too; behind it may be the path of what is to be called (RFC 9728, section 3.1). */
function isMetadata(first: string, rest: readonly string[]): boolean {
  return `${first}/${rest[0]}` === metadataPath;
}

/** An address that is only looked at. */
function isPage(first: string, rest: readonly string[]): boolean {
  return rest.length === 0 && (first === 'tools' || first === 'health' || first === 'openapi.json');
}

/** What an address takes, for those who tried something else. */
function methodsAt(first: string, rest: readonly string[]): string {
  if (isPage(first, rest)) return 'GET';
  return first === 'mcp' ? 'POST' : 'GET, POST';
}

async function answerPage(first: string, rest: readonly string[], request: WebRequest, served: Served): Promise<FunctionResponse> {
  const { catalogue, settings } = served;
  if (first === '' && rest.length === 0) return (await import('./pages.ts')).serviceDocument(catalogue);
  if (first === 'health' && rest.length === 0) return jsonResponse(200, { status: 'ok', tools: catalogue.names.length });
  if (first === 'mcp') return notAllowed('POST');
  if (rest.length > 1 || (first !== 'tools' && !isPage(first, rest))) throw noSuchAddress(request.path);
  checkWords(request.query, ['q', 'format']);
  const scope = await listingScope(request, served, settings);
  const { selection } = scope;
  const { openapiPage, toolPage, toolsPage } = await import('./pages.ts');
  if (first === 'openapi.json') return openapiPage(served, selection);
  if (rest[0] !== undefined) return toolPage(catalogue, selection, rest[0]);
  if (request.query.has('q')) await takeTurn(scope.caller, scope);
  return toolsPage(served, selection, request.query);
}

/** Whoever passes a bearer of their own on may read the catalogue without it: it is the same for everyone. */
function listingScope(request: WebRequest, served: Served, settings: Settings): Promise<CallScope> {
  if (settings.own) return scopeOf(request, served);
  const open = { ...request, headers: { ...request.headers, authorization: 'Bearer none' } };
  return scopeOf(open, served);
}

/** A body at the root is MCP when it is a batch or names its protocol. */
function speaksRpc({ body }: Pick<WebRequest, 'body'>): boolean {
  const start = body.trimStart();
  return start.startsWith('[') || (start.startsWith('{') && /"jsonrpc"\s*:/.test(start));
}

function answerFailure(invocation: Invocation, error: ToolError, context: Context): FunctionResponse | DirectAnswer {
  if (invocation.kind === 'direct') {
    return { tool: '', isError: true, result: { error: error.toRecord() }, activationId: context.activationId };
  }
  const plain = failureResponse(error, context);
  if (invocation.kind === 'parsed' || !isRpc(invocation)) return plain;
  return jsonText(plain.statusCode, errorText(null, rpcErrorOf(error)), failureHeaders(error));
}

function isRpc({ method, path, ...request }: WebRequest): boolean {
  if (method !== 'POST') return false;
  return path.startsWith('/mcp') || (path.replaceAll('/', '') === '' && speaksRpc(request));
}

function notAllowed(allow: string): FunctionResponse {
  return emptyResponse(405, { allow });
}

function noSuchAddress(path: string): ToolError {
  return new ToolError(
    'not_found',
    `nothing is at ${path.slice(0, 100)}; there are /mcp, /tools, /tools/<name>, /openapi.json and /health`,
  );
}

function decodeSegment(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    throw new ToolError('invalid_arguments', `the address has a segment that is not percent-encoded right: ${segment.slice(0, 60)}`);
  }
}
