import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer, type IncomingMessage } from 'node:http';
import { createRequire } from 'node:module';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { compileFunction } from 'node:vm';
import { buildFunction } from '../../build/bundle.ts';
import type { FunctionResponse } from '../../lib/functions/response.ts';

/** The fixture, built as functions are and served over HTTP. */
export interface FixtureServer {
  /** Where MCP is spoken. */
  readonly url: string;
  /** How many requests came. */
  invocations(): number;
  close(): Promise<void>;
}

type Main = (event: object, context: object) => Promise<FunctionResponse>;

/**
 * Starts it. Every request is an invocation of its own: the bundle's code runs anew, so that nothing of an earlier one is left but what is in the
 * store. Only its compilation is shared.
 */
export async function startFixture(): Promise<FixtureServer> {
  const source = join(import.meta.dirname, 'fixture');
  await buildFunction(source);
  const load = compileFunction(readFileSync(join(source, 'bundle.js'), 'utf8'), ['exports', 'require']);
  const folder = mkdtempSync(join(tmpdir(), 'deckhand-conformance-'));
  let count = 0;
  const server = createServer(async (request, response) => {
    count += 1;
    try {
      const event = { http: await webEvent(request), store: join(folder, 'store') };
      const { statusCode, headers, body } = await freshMain(load)(event, { activationId: String(count) });
      response.writeHead(statusCode, headers).end(body);
    } catch (failure) {
      response.writeHead(502).end(`the fixture failed: ${failure}`);
    }
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  // A server that listens on a port has an address of this kind.
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/mcp`,
    invocations: () => count,
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

function freshMain(load: ReturnType<typeof compileFunction>): Main {
  const exported: { main?: Main } = {};
  load(exported, createRequire(import.meta.url));
  if (exported.main) return exported.main;
  throw new Error('the bundle exports no main');
}

/** A request as the platform hands it to functions deployed `web: raw`. */
async function webEvent(request: IncomingMessage) {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk);
  const [path, queryString] = (request.url ?? '/').split('?');
  return {
    method: request.method,
    path,
    queryString: queryString ?? '',
    headers: request.headers,
    body: Buffer.concat(chunks).toString('utf8'),
  };
}
