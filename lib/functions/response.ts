import { jsonBytesOf, mostJsonBytesOf } from '../client/json-bytes.ts';

/** What a web function returns. The body is text, so that the platform passes it on as it is, in its own key order. */
export interface FunctionResponse {
  readonly statusCode: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

/** The platform hands on at most 1 MiB of what a function returns; this leaves room for status, headers and what stands between answers. */
export const mostAnswerBytes = 1024 * 1024 - 32 * 1024;

/** Whether a text fits into what a function may return. */
export function fitsAnswer(text: string): boolean {
  return mostJsonBytesOf(text) <= mostAnswerBytes || answerBytes(text) <= mostAnswerBytes;
}

/** What a text takes in what a function returns, where it travels as a JSON string. */
export function answerBytes(text: string): number {
  return jsonBytesOf(text);
}

/** A JSON answer. The bare media type is on purpose: with a parameter the platform would parse and re-serialise the body. */
export function jsonResponse(statusCode: number, body: unknown, headers: Readonly<Record<string, string>> = {}): FunctionResponse {
  return jsonText(statusCode, JSON.stringify(body), headers);
}

/** A JSON answer whose text is ready. */
export function jsonText(statusCode: number, body: string, headers: Readonly<Record<string, string>> = {}): FunctionResponse {
  return { statusCode, headers: { 'content-type': 'application/json', ...headers }, body };
}

/** An answer without a body. */
export function emptyResponse(statusCode: number, headers: Readonly<Record<string, string>> = {}): FunctionResponse {
  return { statusCode, headers, body: '' };
}
