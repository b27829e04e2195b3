import { callsOf, methodOf, pathOf, type Tool } from '../../catalogue/tool.ts';
import type { PlatformRequest } from '../../client/request.ts';

/** What the platform lets nobody read by itself; the resource that holds it is read in its place. */
const unreadable: ReadonlySet<string> = new Set(['/v2/databases/{}/online-migration/{}']);

/** Where the resource of a change is read, and its kind: the same path with every value left open. */
export interface ResourcePath {
  readonly path: string;
  /** Such as `/v2/domains/{}/records/{}`. */
  readonly kind: string;
}

/**
 * Where the resource that a request changes is read: at the request's own path, cut behind the last value in it. Undefined where the path names none, as
 * when something is created.
 */
export function resourcePathOf(tool: Tool, request: PlatformRequest): ResourcePath | undefined {
  const segments = request.path.split('?')[0]?.split('/') ?? [];
  const template = callsOf(tool)
    .filter((call) => methodOf(call) === request.method)
    .map((call) => pathOf(call).split('/'))
    .find((parts) => parts.length === segments.length && parts.every((part, index) => isOpen(part) || part === segments[index]));
  return template && readable(template, segments, template.findLastIndex(isOpen));
}

function readable(template: readonly string[], segments: readonly string[], last: number): ResourcePath | undefined {
  if (last < 0) return undefined;
  const kind = template
    .slice(0, last + 1)
    .map((part) => (isOpen(part) ? '{}' : part))
    .join('/');
  if (unreadable.has(kind)) return readable(template, segments, template.slice(0, last).findLastIndex(isOpen));
  return { path: segments.slice(0, last + 1).join('/'), kind };
}

function isOpen(part: string): boolean {
  return part.startsWith('{');
}
