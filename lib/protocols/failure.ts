import { httpStatus, ToolError } from '../errors.ts';
import type { Context } from '../functions/context.ts';
import { type FunctionResponse, jsonResponse, mostAnswerBytes } from '../functions/response.ts';

/** A failure as plain JSON: the status of its code, and who may come back with what. */
export function failureResponse(error: ToolError, context: Context, tool?: string): FunctionResponse {
  const body = { ...(tool !== undefined && { tool }), isError: true, error: error.toRecord(), activationId: context.activationId };
  return jsonResponse(httpStatus[error.code], body, failureHeaders(error));
}

/** The headers that HTTP has for a failure. */
export function failureHeaders(error: ToolError): Readonly<Record<string, string>> {
  const { retryAfterMs, challenge } = error.details;
  return {
    ...(error.code === 'unauthenticated' && { 'www-authenticate': challenge ?? 'Bearer' }),
    ...(error.code === 'forbidden' && { 'www-authenticate': challenge ?? 'Bearer error="insufficient_scope"' }),
    ...(retryAfterMs !== undefined && { 'retry-after': String(Math.ceil(retryAfterMs / 1000)) }),
  };
}

/** What becomes of an answer that the platform would not hand on. */
export function tooLarge(tool: string): ToolError {
  return new ToolError(
    'invalid_arguments',
    `${tool}: it was carried out, and its answer is larger than the ${mostAnswerBytes} bytes that a function may answer; ask for less, with PerPage or Fields`,
  );
}
