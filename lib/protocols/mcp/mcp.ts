import type { CallScope } from '../../access/call.ts';
import { InputRequired, StateRefused } from '../../access/client-input.ts';
import { isRecord } from '../../catalogue/is-record.ts';
import { told } from '../../functions/bug.ts';
import type { WebRequest } from '../../functions/event.ts';
import { answerBytes, emptyResponse, type FunctionResponse, jsonText, mostAnswerBytes } from '../../functions/response.ts';
import type { Settings } from '../../functions/settings.ts';
import { clientName, openRecord } from '../call-log.ts';
import { parseJson } from '../parse-json.ts';
import { sharedMaxBytes } from '../result-budget.ts';
import { type Served, traceOf } from '../scope.ts';
import { inputOf, questionText } from './input.ts';
import { errorText, idOf, RpcError, type RpcRequest, readMessage, resultText, rpcCodes, rpcErrorOf } from './message.ts';
import type { Method, MethodScope, Methods } from './method.ts';
import { checkModern } from './modern-checks.ts';
import { assumedVersion, isLegacyVersion, isModern, lastBatchedVersion } from './versions.ts';

const mostInBatch = 50;

/**
 * Answers a POST that carries MCP, in whichever revision it is. Nothing is kept between requests: no session is handed out, and one that is shown
 * is passed over.
 */
export async function answerMcp(request: WebRequest, served: Served, call: CallScope, methods: Methods): Promise<FunctionResponse> {
  let id: string | number | null = null;
  try {
    checkContentType(request);
    const value = parse(request.body);
    id = idOf(value);
    const count = Array.isArray(value) ? value.length : 1;
    const server: Server = { request, served, call, methods, maxBytes: sharedMaxBytes(request.query, Math.max(1, count)) };
    return Array.isArray(value) ? await answerBatch(value, server) : await answerOne(value, server);
  } catch (failure) {
    if (!(failure instanceof RpcError)) throw failure;
    return jsonText(failure.httpStatus, errorText(id, failure));
  }
}

interface Server {
  readonly request: WebRequest;
  readonly served: Served;
  readonly call: CallScope;
  readonly methods: Methods;
  /** What each result may take as JSON. */
  readonly maxBytes: number;
}

async function answerOne(value: unknown, server: Server): Promise<FunctionResponse> {
  const message = readMessage(value);
  const meta = isRecord(message.params._meta) ? message.params._meta : {};
  const modern = isModern(meta, server.request.headers['mcp-protocol-version']);
  if (modern) checkModern(message, server.request.headers);
  if (message.kind === 'unanswered') return emptyResponse(202);
  try {
    return jsonText(200, await answerMessage(message, modern, server));
  } catch (failure) {
    if (!(failure instanceof RpcError)) throw failure;
    // With a handshake, clients take any other status for a failure of the transport.
    const { challenge, httpStatus } = failure;
    if (challenge !== undefined) return jsonText(httpStatus, errorText(message.id, failure), { 'www-authenticate': challenge });
    return jsonText(modern ? httpStatus : 200, errorText(message.id, failure));
  }
}

/** Batches existed up to revision 2025-03-26. */
async function answerBatch(values: readonly unknown[], server: Server): Promise<FunctionResponse> {
  const version = server.request.headers['mcp-protocol-version'] ?? assumedVersion;
  if (!isLegacyVersion(version) || version > lastBatchedVersion)
    throw new RpcError(rpcCodes.invalidRequest, 400, `revision ${version} has no batches: send one message a request`);
  if (server.request.headers['idempotency-key'] !== undefined)
    throw new RpcError(
      rpcCodes.invalidRequest,
      400,
      'an Idempotency-Key belongs to one call: in a batch give each its _meta["deckhand/idempotencyKey"]',
    );
  if (values.length === 0) throw new RpcError(rpcCodes.invalidRequest, 400, 'the batch is empty');
  if (values.length > mostInBatch)
    throw new RpcError(rpcCodes.invalidRequest, 400, `a batch has at most ${mostInBatch} messages, this one ${values.length}`);
  const answers = await Promise.all(values.map((value) => answerInBatch(value, server)));
  const texts = whatFits(answers.filter((answer) => answer !== undefined));
  return texts.length === 0 ? emptyResponse(202) : jsonText(200, `[${texts.join(',')}]`);
}

/** The answers, as far as they fit into one; for each of the others an error under its id. */
function whatFits(answers: readonly string[]): readonly string[] {
  let left = mostAnswerBytes;
  return answers.map((answer) => {
    const size = answerBytes(answer);
    if (size <= left) {
      left -= size;
      return answer;
    }
    const refusal = new RpcError(
      rpcCodes.internalError,
      200,
      'it was carried out, and its answer does not fit beside the others: send it alone',
    );
    return errorText(idOf(JSON.parse(answer)), refusal);
  });
}

async function answerInBatch(value: unknown, server: Server): Promise<string | undefined> {
  try {
    const message = readMessage(value);
    return message.kind === 'unanswered' ? undefined : await answerMessage(message, false, server);
  } catch (failure) {
    if (!(failure instanceof RpcError)) throw failure;
    return errorText(idOf(value), failure);
  }
}

async function answerMessage(message: RpcRequest, modern: boolean, server: Server): Promise<string> {
  const { request, served, call, methods, maxBytes } = server;
  const mounted = mountedIn(methods, modern, served.settings);
  const method = Object.hasOwn(mounted, message.method) ? mounted[message.method] : undefined;
  if (!method) {
    const known = Object.keys(mounted).join(', ');
    throw new RpcError(rpcCodes.methodNotFound, 404, `no method ${JSON.stringify(message.method.slice(0, 80))} here; there are ${known}`);
  }
  const client = clientName(request.headers, message.params._meta);
  const { activationId } = served.context;
  const traceparent = traceOf(isRecord(message.params._meta) ? message.params._meta.traceparent : undefined) ?? call.traceparent;
  const record = openRecord({ protocol: 'MCP', caller: call.caller.name, client, activationId, traceparent }, served);
  const inner = { ...call, input: inputOf(message, modern), traceparent, note: record.note };
  return resultText(message.id, await resultOf(method, message, { request, served, call: inner, modern, maxBytes, log: record.end }));
}

function mountedIn({ modern, legacy, sealed }: Methods, isModern: boolean, { sealKey }: Settings): Methods['modern'] {
  if (!isModern) return legacy;
  return sealKey === undefined ? modern : { ...modern, ...sealed };
}

/** What the method answers. Throws RpcError alone, so that every answer is under the id of its message. */
async function resultOf(method: Method, message: RpcRequest, scope: MethodScope): Promise<string> {
  try {
    return await resultOrQuestion(method, message, scope);
  } catch (failure) {
    if (failure instanceof RpcError) throw failure;
    if (failure instanceof StateRefused) throw new RpcError(rpcCodes.invalidParams, 200, failure.message);
    throw rpcErrorOf(told(failure, scope.served.context));
  }
}

async function resultOrQuestion(method: Method, message: RpcRequest, scope: MethodScope): Promise<string> {
  try {
    return await method(message, scope);
  } catch (failure) {
    if (failure instanceof InputRequired) return questionText(failure, message, scope.modern);
    throw failure;
  }
}

/** JSON only: a page on the web can send other types without asking first. */
function checkContentType({ headers }: WebRequest): void {
  const type = headers['content-type']?.split(';')[0]?.trim().toLowerCase();
  if (type === 'application/json') return;
  throw new RpcError(rpcCodes.invalidRequest, 415, `the content type must be application/json, got ${type ?? 'none'}`);
}

function parse(body: string): unknown {
  try {
    return parseJson(body);
  } catch (failure) {
    const reason = failure instanceof Error ? failure.message : '';
    throw new RpcError(rpcCodes.parseError, 400, `the body is not JSON: ${reason}`);
  }
}
