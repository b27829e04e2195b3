/** A message of JSON-RPC, or a batch of them, as far as a bridge looks into it. */
export type Message = Readonly<Record<string, unknown>> | readonly unknown[];

export function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The message in a text; undefined where there is none. */
export function messageIn(text: string): Message | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isRecord(value) || Array.isArray(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

const versionKey = 'io.modelcontextprotocol/protocolVersion';

/**
 * The headers that MCP over HTTP wants with a message: its revision, and from 2026-07-28 on what is called, so that it can be routed unread.
 *
 * @param revision what the handshake came to, where there was one
 */
export function headersOf(message: Message, revision: string | undefined): Readonly<Record<string, string>> {
  const always = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' };
  const { method, params: given } = isRecord(message) ? message : {};
  const params = isRecord(given) ? given : {};
  const client = clientOf(params);
  const named = { ...always, ...(client !== undefined && { 'user-agent': client }) };
  const version = isRecord(params._meta) ? params._meta[versionKey] : undefined;
  if (typeof version !== 'string') return { ...named, ...(revision !== undefined && { 'mcp-protocol-version': revision }) };
  const subject = params.name ?? params.uri ?? params.taskId;
  return {
    ...named,
    'mcp-protocol-version': headerText(version),
    'mcp-method': headerText(String(method)),
    ...(typeof subject === 'string' && { 'mcp-name': headerText(subject) }),
  };
}

/** What a client calls itself, in its handshake or in each message. */
function clientOf({ clientInfo, _meta: meta }: Readonly<Record<string, unknown>>): string | undefined {
  const info = clientInfo ?? (isRecord(meta) ? meta['io.modelcontextprotocol/clientInfo'] : undefined);
  const name = isRecord(info) ? info.name : undefined;
  return typeof name === 'string' && /^[\x21-\x7e]{1,80}$/.test(name) ? name : undefined;
}

/** Text as a header carries it: what it cannot hold as Base64 (basic/transports/streamable-http). */
function headerText(text: string): string {
  const plain = /^[\x21-\x7e]([\x20-\x7e]*[\x21-\x7e])?$/.test(text) && !text.startsWith('=?');
  return plain ? text : `=?base64?${Buffer.from(text).toString('base64')}?=`;
}

/** An answer as one line, under the id of the message it answers; undefined where that expects none. */
export function replyLine(text: string, id: unknown): string | undefined {
  const reply = messageIn(text);
  // A refusal before the message was read bears no id; over stdio nothing else says what it is the answer to.
  if (isRecord(reply) && reply.id === null) return id === undefined ? undefined : JSON.stringify({ ...reply, id: exact(id) });
  // Line ends outside of strings mean nothing in JSON, and inside of them they are escaped.
  return text.replace(/[\r\n]+/g, ' ');
}

/** An error of the bridge's own. */
export function errorLine(id: unknown, message: string, code = -32603): string {
  return JSON.stringify({ jsonrpc: '2.0', id: exact(id), error: { code, message } });
}

/** The id, where it can be said again as it was sent. */
function exact(id: unknown): string | number | null {
  if (typeof id === 'number' && Math.abs(id) <= Number.MAX_SAFE_INTEGER) return id;
  return typeof id === 'string' ? id : null;
}
