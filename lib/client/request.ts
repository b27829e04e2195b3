import { maxPerPage } from '../catalogue/per-page.ts';
import { type Arguments, type Method, methodOf, pathOf, type Query, type Tool } from '../catalogue/tool.ts';

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
export function toRequest(tool: Tool, input: Arguments): PlatformRequest {
  const path = pathOf(tool).replace(/\{(\w+)\}/g, (_, name: string) => segment(input[name]));
  const query = queryText({ ...pagingOf(input), ...tool.query?.(input) });
  const body = tool.body?.(input);
  return { method: methodOf(tool), path: query ? `${path}?${query}` : path, ...(body !== undefined && { body: compact(body) }) };
}

/** Lists carry `Page` and `PerPage` under the platform's names. */
function pagingOf(input: Arguments): Query {
  const { Page, PerPage } = input;
  return {
    ...(typeof Page === 'number' && { page: Page }),
    ...(typeof PerPage === 'number' && { per_page: Math.min(PerPage, maxPerPage) }),
  };
}

/** One segment of a path. A value that could end or climb it never reaches this point; should one, it is a bug that stops here. */
function segment(value: unknown): string {
  const text = String(value);
  if (text === '' || text === '.' || text === '..') throw new Error(`not a path segment: ${JSON.stringify(text)}`);
  return encodeURIComponent(text);
}

function queryText(query: Query): string {
  return Object.entries(query)
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => `${name}=${encodeURIComponent(String(value))}`)
    .join('&');
}

/** The body without members that have no value. */
function compact(body: unknown): unknown {
  if (typeof body !== 'object' || body === null || Array.isArray(body)) return body;
  return Object.fromEntries(Object.entries(body).filter(([, value]) => value !== undefined));
}
