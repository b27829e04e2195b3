import { isRecord } from '../../catalogue/is-record.ts';
import { headerValue } from './header-value.ts';
import { RpcError, type RpcMessage, rpcCodes } from './message.ts';
import { metaKeys, modernVersion, supportedVersions } from './versions.ts';

/** The methods whose subject is repeated in the header `Mcp-Name`, with the parameter it repeats. */
const namedBy: Readonly<Record<string, string>> = {
  'tools/call': 'name',
  'prompts/get': 'name',
  'resources/read': 'uri',
  'tasks/get': 'taskId',
  'tasks/update': 'taskId',
  'tasks/cancel': 'taskId',
};

type Headers = Readonly<Record<string, string>>;

/**
 * What revision 2026-07-28 wants of every request, in its order: the version header, the `_meta` that replaces the handshake, both saying the
 * same, a supported version, and headers that repeat method and subject so that what stands between can route without parsing.
 */
export function checkModern(message: RpcMessage, headers: Headers): void {
  const header = headers['mcp-protocol-version'];
  if (header === undefined) throw mismatch('the header MCP-Protocol-Version is missing');
  const meta = isRecord(message.params._meta) ? message.params._meta : {};
  const version = meta[metaKeys.version];
  if (message.kind === 'request' && typeof version !== 'string') throw invalidMeta(metaKeys.version, 'a string');
  if (message.kind === 'request' && !isRecord(meta[metaKeys.capabilities])) throw invalidMeta(metaKeys.capabilities, 'an object');
  if (version !== undefined && header.trim() !== version) {
    throw mismatch(`the header MCP-Protocol-Version says ${header}, _meta says ${JSON.stringify(version)}`);
  }
  if (header.trim() !== modernVersion) {
    throw new RpcError(rpcCodes.unsupportedVersion, 400, `protocol version ${header} is not supported`, {
      supported: supportedVersions,
      requested: header,
    });
  }
  checkRouting(message, headers);
}

function checkRouting(message: RpcMessage, headers: Headers): void {
  if (message.method === undefined) return;
  const method = headers['mcp-method']?.trim();
  if (method !== message.method) throw mismatch(`the header Mcp-Method says ${method ?? 'nothing'}, the message says ${message.method}`);
  const parameter = Object.hasOwn(namedBy, message.method) ? namedBy[message.method] : undefined;
  if (parameter === undefined) return;
  const named = message.params[parameter];
  const name = headerValue(headers['mcp-name']);
  if (name !== named) throw mismatch(`the header Mcp-Name says ${name ?? 'nothing'}, params.${parameter} says ${JSON.stringify(named)}`);
}

function mismatch(message: string): RpcError {
  return new RpcError(rpcCodes.headerMismatch, 400, message);
}

function invalidMeta(key: string, expected: string): RpcError {
  return new RpcError(rpcCodes.invalidParams, 400, `params._meta["${key}"] must be ${expected}`);
}
