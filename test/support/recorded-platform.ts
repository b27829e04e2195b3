import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { openapiPresent, validateReply, validateRequest } from './openapi.ts';

/** One exchange between the tools and the platform, and what the platform's document says against it. */
export interface Exchange {
  readonly method: string;
  /** Path and query. */
  readonly path: string;
  readonly status: number;
  readonly problems: readonly string[];
}

export interface RecordedPlatform {
  readonly url: string;
  readonly exchanges: readonly Exchange[];
  close(): void;
}

/** Stands between the tools and a platform, passes everything on, and holds both directions to the platform's document where it is at hand. */
export async function recordedPlatform(target: string): Promise<RecordedPlatform> {
  const exchanges: Exchange[] = [];
  const server = http.createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    const sent = Buffer.concat(chunks).toString('utf8');
    const { method = 'GET', url: path = '/' } = request;
    const headers = { authorization: request.headers.authorization ?? '', ...(sent && { 'content-type': 'application/json' }) };
    const reply = await fetch(`${target}${path}`, { method, headers, ...(sent && { body: sent }) });
    const text = await reply.text();
    exchanges.push({ method, path, status: reply.status, problems: problemsOf(method, path, sent, reply.status, text) });
    response.writeHead(reply.status, { 'content-type': 'application/json' }).end(text);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    // Safe: the server listens on a TCP port.
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    exchanges,
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}

/** The document declares no paging for the billing history, and yet its reply carries links and meta: the platform pages it. */
const undeclared: ReadonlySet<string> = new Set([
  'GET /v2/customers/my/billing_history: query page: not in the document',
  'GET /v2/customers/my/billing_history: query per_page: not in the document',
]);

function problemsOf(method: string, url: string, sent: string, status: number, text: string): readonly string[] {
  if (!openapiPresent) return [];
  const [path = '', query = ''] = url.split('?');
  const body: unknown = sent ? JSON.parse(sent) : undefined;
  const asked = validateRequest(method, path, body, Object.fromEntries(new URLSearchParams(query)));
  const answered = validateReply(method, path, status, text ? JSON.parse(text) : undefined);
  return [...asked, ...answered].filter((problem) => !undeclared.has(problem));
}
