import type { Question } from '../asking.ts';
import { type Field, turnOf, type Work } from './load.ts';

const modern = '2026-07-28';
/** Every revision that agents speak. */
const revisions = ['2024-11-05', '2025-03-26', '2025-06-18', '2025-11-25', modern] as const;
const clientInfo = { name: 'soak', version: '1.0.0' } as const;
const account = { name: 'account-get-information', arguments: {} } as const;

/** A call as clients of every revision make it, one after the other; the one that knows batches sends two at once. */
export function mcpCalls(field: Field): Work {
  return async (n) => {
    const revision = turnOf(revisions, n);
    const question = { ...message(field, n, revision, 'tools/call', account), says: '"isError":false', isWarm: true };
    if (revision !== '2025-03-26') await field.ask(question);
    else await field.ask({ ...question, body: [question.body, { ...(question.body as object), id: -n }], says: `"id":${-n},` });
  };
}

/** What a client does from its beginning: it introduces itself, asks what there is, and calls. */
export function mcpSession(field: Field): Work {
  const { ask } = field;
  return async (n) => {
    const revision = turnOf(revisions, n);
    if (revision === modern) await ask({ ...message(field, n, revision, 'server/discover', {}), says: modern, isWarm: true });
    else {
      const params = { protocolVersion: revision, capabilities: {}, clientInfo };
      await ask({ ...message(field, n, revision, 'initialize', params), says: `"protocolVersion":"${revision}"`, isWarm: true });
      await ask({ ...message(field, n, revision, 'notifications/initialized', {}), status: 202, isWarm: true });
    }
    await ask({ ...message(field, n, revision, 'tools/list', {}), says: '"instance-create"', isWarm: true });
    await ask({ ...message(field, n, revision, 'tools/call', account), says: '"isError":false', isWarm: true });
  };
}

function message(
  { accounts, deployment }: Field,
  n: number,
  revision: string,
  method: string,
  given: Readonly<Record<string, unknown>>,
): Question {
  const isModern = revision === modern;
  const params = isModern ? { ...given, _meta: meta } : given;
  const isNotice = method.startsWith('notifications/');
  const headers = {
    authorization: `Bearer ${turnOf(accounts, n)}`,
    accept: 'application/json, text/event-stream',
    'mcp-protocol-version': revision,
    ...(isModern && { 'mcp-method': method, ...(typeof given.name === 'string' && { 'mcp-name': given.name }) }),
  };
  const body = { jsonrpc: '2.0', ...(!isNotice && { id: n }), method, params };
  return { url: deployment.ready.mcp, method: 'POST', headers, body, calls: 'project' };
}

const meta = {
  'io.modelcontextprotocol/protocolVersion': modern,
  'io.modelcontextprotocol/clientInfo': clientInfo,
  'io.modelcontextprotocol/clientCapabilities': {},
} as const;
