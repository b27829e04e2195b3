import { isRecord } from '../../catalogue/is-record.ts';
import { httpStatus, type ToolError } from '../../errors.ts';

/** JSON-RPC 2.0, as far as MCP uses it. */
export type MessageId = string | number;

export interface RpcRequest {
  readonly kind: 'request';
  readonly id: MessageId;
  readonly method: string;
  readonly params: Readonly<Record<string, unknown>>;
}

/** A notification, or a response to a request that this server never makes: neither is answered. */
export interface RpcUnanswered {
  readonly kind: 'unanswered';
  readonly method?: string;
  readonly params: Readonly<Record<string, unknown>>;
}

export type RpcMessage = RpcRequest | RpcUnanswered;

export const rpcCodes = {
  parseError: -32700,
  invalidRequest: -32600,
  methodNotFound: -32601,
  invalidParams: -32602,
  internalError: -32603,
  headerMismatch: -32020,
  missingCapability: -32021,
  unsupportedVersion: -32022,
} as const;

/** A failure of the protocol itself; what a tool fails with is a result instead. */
export class RpcError extends Error {
  readonly code: number;
  readonly httpStatus: number;
  readonly data?: unknown;
  /** What `WWW-Authenticate` says of it: then the status holds in every revision, since it is the transport that answers to it. */
  readonly challenge?: string;

  constructor(code: number, httpStatus: number, message: string, data?: unknown, challenge?: string) {
    super(message);
    this.name = 'RpcError';
    this.code = code;
    this.httpStatus = httpStatus;
    this.data = data;
    this.challenge = challenge;
  }
}

/** A failure of ours in the protocol's terms, where it cannot be told as a tool's: all of its record is in `data`. */
export function rpcErrorOf(error: ToolError): RpcError {
  const code = error.code === 'internal_error' ? rpcCodes.internalError : rpcCodes.invalidRequest;
  return new RpcError(code, httpStatus[error.code], error.message, error.toRecord(), error.details.challenge);
}

/** The error member's text for an id; `null` where the message had none that could be read. */
export function errorText(id: MessageId | null, error: RpcError): string {
  return JSON.stringify({
    jsonrpc: '2.0',
    id,
    error: { code: error.code, message: error.message, ...(error.data !== undefined && { data: error.data }) },
  });
}

/** The response around a result whose JSON text is ready. */
export function resultText(id: MessageId, result: string): string {
  return `{"jsonrpc":"2.0","id":${JSON.stringify(id)},"result":${result}}`;
}

/** Reads one message. Throws RpcError -32600, saying which member is wrong. */
export function readMessage(value: unknown): RpcMessage {
  if (!isRecord(value)) throw invalid('a message is a JSON object');
  if (value.jsonrpc !== '2.0') throw invalid('jsonrpc must be "2.0"');
  const params = isRecord(value.params) ? value.params : {};
  const isResponse = value.method === undefined && ('result' in value || 'error' in value);
  if (isResponse) return { kind: 'unanswered', params };
  if (typeof value.method !== 'string') throw invalid('method must be a string');
  if (value.params !== undefined && !isRecord(value.params)) throw invalid('params must be an object');
  if (!('id' in value)) return { kind: 'unanswered', method: value.method, params };
  const { id } = value;
  if (typeof id !== 'string' && !(typeof id === 'number' && Number.isInteger(id))) throw invalid('id must be a string or an integer');
  if (typeof id === 'number' && !Number.isSafeInteger(id))
    throw invalid('id is an integer beyond 2^53 - 1, whose digits JSON readers do not keep; send it as a string');
  return { kind: 'request', id, method: value.method, params };
}

/** The id to answer a message under, as far as it has one that can be said again as it was sent. */
export function idOf(value: unknown): MessageId | null {
  const id = isRecord(value) ? value.id : undefined;
  const isExact = typeof id === 'number' && Math.abs(id) <= Number.MAX_SAFE_INTEGER;
  return typeof id === 'string' || isExact ? id : null;
}

function invalid(what: string): RpcError {
  return new RpcError(rpcCodes.invalidRequest, 400, `not a JSON-RPC message: ${what}`);
}
