import { isRecord } from '../catalogue/is-record.ts';
import { segment } from '../catalogue/path.ts';
import { maxPerPage } from '../catalogue/per-page.ts';
import type { Method, PlatformCall, PlatformCalls, Query } from '../catalogue/platform-calls.ts';
import { type Arguments, methodOf, pathOf, type RoutedTool, type Tool } from '../catalogue/tool.ts';
import { ToolError } from '../errors.ts';

/** A request to the platform, complete but for host and credentials. */
export interface PlatformRequest {
  readonly method: Method;
  /** Path and query, percent-encoded. */
  readonly path: string;
  readonly body?: unknown;
}

/**
 * The request that a tool's arguments stand for. Pure: the same arguments give the same request, and nothing is sent.
 * Members of query and body without a value are left out; a page size above what the platform serves becomes that.
 */
export function toRequest(tool: RoutedTool, input: Arguments): PlatformRequest {
  return requestOf({
    method: methodOf(tool.route),
    path: pathOf(tool.route).replace(/\{(\w+)\}/g, (_, name: string) => segment(input[name])),
    query: { ...pagingOf(input), ...tool.query?.(input) },
    body: tool.body?.(input),
  });
}

/** The platform for a tool that needs several calls, over a way to send one request. */
export function platformCalls(tool: Tool, send: (request: PlatformRequest) => Promise<unknown>): PlatformCalls {
  return {
    tool: tool.name,
    request: (call) => send(requestOf(call)),
    async record(path, envelope) {
      const reply = await send(requestOf({ method: 'GET', path }));
      const record = isRecord(reply) ? reply[envelope] : undefined;
      if (isRecord(record)) return record;
      throw new ToolError('platform_error', `${tool.name}: the platform answered GET ${path} with something that has no ${envelope}`);
    },
  };
}

function requestOf({ method, path, query = {}, body }: PlatformCall): PlatformRequest {
  const text = queryText(query);
  return { method, path: text ? `${path}?${text}` : path, ...(body !== undefined && { body: compact(body) }) };
}

/** Lists carry `Page` and `PerPage` under the platform's names. */
function pagingOf(input: Arguments): Query {
  const { Page, PerPage } = input;
  return { ...(typeof Page === 'number' && { page: Page }), ...(typeof PerPage === 'number' && { per_page: PerPage }) };
}

function queryText(query: Query): string {
  return Object.entries(query)
    .filter(([, value]) => value !== undefined)
    .map(
      ([name, value]) =>
        `${name}=${encodeURIComponent(String(name === 'per_page' ? Math.min(Number(value), maxPerPage) : value).toWellFormed())}`,
    )
    .join('&');
}

/** The body without members that have no value. */
function compact(body: unknown): unknown {
  if (!isRecord(body)) return body;
  return Object.fromEntries(Object.entries(body).filter(([, value]) => value !== undefined));
}
