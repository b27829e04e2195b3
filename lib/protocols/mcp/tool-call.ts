import { type Call, perform, performOrStart } from '../../access/call.ts';
import { InputRequired, StateRefused } from '../../access/client-input.ts';
import { isRecord } from '../../catalogue/is-record.ts';
import type { Result } from '../../client/unwrap.ts';
import type { ToolError } from '../../errors.ts';
import { told } from '../../functions/bug.ts';
import type { Destination } from '../../functions/forward.ts';
import { fitsAnswer } from '../../functions/response.ts';
import { tooLarge } from '../failure.ts';
import { handedTo, handOver, recordIn } from '../scope.ts';
import { RpcError, type RpcRequest, rpcCodes, rpcErrorOf } from './message.ts';
import type { MethodScope } from './method.ts';
import { plainText } from './plain-text.ts';
import { serverMeta } from './server-info.ts';
import { knowsTasks } from './tasks/extension.ts';

/** What `tools/call` says: which tool of those that are listed is called, with what. Throws RpcError -32602 for parameters of the wrong shape. */
export function readCall(params: Readonly<Record<string, unknown>>, headers: Readonly<Record<string, string>>): Call {
  if (typeof params.name !== 'string') throw new RpcError(rpcCodes.invalidParams, 200, 'params.name must be the name of a tool');
  if (params.arguments !== undefined && !isRecord(params.arguments)) {
    throw new RpcError(rpcCodes.invalidParams, 200, 'params.arguments must be an object');
  }
  const key = isRecord(params._meta) ? params._meta['deckhand/idempotencyKey'] : undefined;
  if (key !== undefined && typeof key !== 'string') {
    throw new RpcError(rpcCodes.invalidParams, 200, 'params._meta["deckhand/idempotencyKey"] must be a string');
  }
  const idempotencyKey = key ?? headers['idempotency-key'];
  return { tool: params.name, arguments: params.arguments ?? {}, byModel: true, idempotencyKey };
}

/**
 * Carries a call out and renders what it comes to. What the tool fails with is a result with `isError`; an unknown name alone is an error of the protocol.
 *
 * @param message the one that asked for it, which is handed on as it is where the domains' own functions answer
 */
export async function callResult(call: Call, message: RpcRequest, scope: MethodScope): Promise<string> {
  const { context } = scope.served;
  try {
    const destination = handedTo(call, scope.call, scope.served);
    if (destination) return await resultFrom(destination, message, scope);
    const answered = await answerOf({ ...call, maxBytes: scope.maxBytes }, message, scope);
    scope.log(call.tool, 'ok');
    if (typeof answered === 'string') return answered;
    const answer = toolResult(call.tool, answered, false, scope);
    return fitsAnswer(answer) ? answer : toolResult(call.tool, { error: tooLarge(call.tool).toRecord() }, true, scope);
  } catch (failure) {
    if (failure instanceof RpcError) throw failure;
    if (failure instanceof InputRequired) scope.log(call.tool, 'input_required');
    if (failure instanceof StateRefused) scope.log(call.tool, 'invalid_arguments');
    if (failure instanceof InputRequired || failure instanceof StateRefused) throw failure;
    const error = told(failure, context);
    scope.log(call.tool, error.code);
    if (error.code === 'unknown_tool') throw unknownTool(error);
    // The client can get another token, which a result would not tell it of.
    if (error.details.challenge !== undefined) throw rpcErrorOf(error);
    return toolResult(call.tool, { error: error.toRecord() }, true, scope);
  }
}

/** The result of a call; or, for a client that knows tasks and where they can be sealed, the text that hands out the task that it began. */
async function answerOf(call: Call, { params }: RpcRequest, scope: MethodScope): Promise<Result | string> {
  const { sealKey } = scope.served.settings;
  if (sealKey === undefined || !scope.modern || !knowsTasks(params)) return perform(call, scope.call);
  const answer = await performOrStart(call, scope.call);
  if ('result' in answer) return answer.result;
  const { startedText } = await import('./tasks/task-text.ts');
  return startedText(answer.task, scope, sealKey);
}

/** A result as `tools/call` answers it. */
export function toolResult(tool: string, structured: unknown, isError: boolean, { modern, served }: MethodScope): string {
  const text = plainText(JSON.stringify(structured));
  const meta = {
    'deckhand/tool': tool,
    'deckhand/activationId': served.context.activationId,
    ...(modern && serverMeta),
  };
  const type = modern ? '"resultType":"complete",' : '';
  return `{${type}"content":[{"type":"text","text":${JSON.stringify(text)}}],"structuredContent":${text},"isError":${isError},"_meta":${JSON.stringify(meta)}}`;
}

function unknownTool(error: ToolError): RpcError {
  return new RpcError(rpcCodes.invalidParams, 200, error.message, { code: error.code, problems: error.details.problems });
}

/** Lets the function of the domain answer the message, and takes the result out of its answer. */
export async function resultFrom(destination: Destination, message: RpcRequest, { request, served }: MethodScope): Promise<string> {
  const single = { jsonrpc: '2.0', id: message.id, method: message.method, params: message.params };
  const handed = { ...request, body: JSON.stringify(single) };
  const answer = await handOver(
    handed,
    destination,
    served,
    ({ result, error }) => isRecord(result) || (isRecord(error) && typeof error.code === 'number'),
  );
  const { result, error } = recordIn(answer.body);
  if (!isRecord(error)) return JSON.stringify(result);
  throw new RpcError(Number(error.code), answer.statusCode, String(error.message), error.data, answer.headers?.['www-authenticate']);
}
