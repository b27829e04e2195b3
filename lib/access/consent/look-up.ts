import { isRecord } from '../../catalogue/is-record.ts';
import type { PlatformRecord } from '../../catalogue/platform-calls.ts';
import { printable } from '../../catalogue/printable.ts';
import type { Tool } from '../../catalogue/tool.ts';
import type { PlatformRequest } from '../../client/request.ts';
import { ToolError } from '../../errors.ts';
import { type Dependents, dependents } from './dependents.ts';
import { counted, type Facts, factsOf, nameOf, quoted } from './facts.ts';
import { resourcePathOf } from './resource-path.ts';

/** Reads at a path of the platform. */
export type Read = (path: string) => Promise<unknown>;

/**
 * What the platform knows of the resource that a request changes, and of what depends on it. Undefined where the request names none, or where it
 * cannot be read: the question is asked all the same.
 *
 * @throws ToolError `not_found`, `unauthenticated`: there is nothing to agree to
 */
export async function lookUp(tool: Tool, request: PlatformRequest, read: Read): Promise<Facts | undefined> {
  const resource = resourcePathOf(tool, request);
  if (!resource) return tagged(request, read);
  const record = recordIn(await orNothing(read(resource.path)));
  if (!record) return undefined;
  const found = await Promise.all((dependents[resource.kind] ?? []).map((kind) => countDependents(kind, resource.path, record, read)));
  const facts = factsOf(record);
  const hanging = [...(facts.dependents ?? []), ...found.filter((words) => words !== undefined)];
  return { ...facts, ...(hanging.length > 0 && { dependents: hanging }) };
}

/** The instances with a tag, where that is what a request acts on. */
async function tagged({ path }: PlatformRequest, read: Read): Promise<Facts | undefined> {
  const [pathname = '', query] = path.split('?');
  const tag = new URLSearchParams(query).get('tag_name');
  if (tag === null || !pathname.endsWith('/actions')) return undefined;
  const list = itemsIn(await orNothing(read(`${pathname.replace(/\/actions$/, '')}?tag_name=${encodeURIComponent(tag)}&per_page=200`)));
  return list && { name: `instances tagged ${printable(tag)}`, dependents: [words('instance', list)] };
}

async function countDependents(kind: Dependents, path: string, resource: PlatformRecord, read: Read): Promise<string | undefined> {
  const list = itemsIn(await orNothing(read(kind.list(path))));
  if (!list) return `${kind.noun}s that could not be counted`;
  const hanging = kind.where ? list.items.filter((item) => kind.where?.(item, resource)) : list.items;
  const total = kind.where ? hanging.length : list.total;
  return total === 0 ? undefined : words(kind.noun, { items: hanging, total });
}

interface List {
  readonly items: readonly PlatformRecord[];
  readonly total: number;
}

/** How many, and what the first of them are called. */
function words(noun: string, { items, total }: List): string {
  const names = items
    .slice(0, 3)
    .map(nameOf)
    .filter((name) => name !== undefined)
    .map(quoted);
  const more = total > names.length && names.length > 0 ? ', ...' : '';
  return `${counted(total, noun)}${names.length > 0 ? ` (${names.join(', ')}${more})` : ''}`;
}

/** The one list in a reply. */
function itemsIn(reply: unknown): List | undefined {
  if (!isRecord(reply)) return undefined;
  const content = Object.values(reply).find((value) => Array.isArray(value));
  if (!Array.isArray(content)) return undefined;
  const { meta } = reply;
  const total = isRecord(meta) && typeof meta.total === 'number' ? meta.total : content.length;
  return { items: content.filter(isRecord), total };
}

/** The one record in a reply. */
function recordIn(reply: unknown): PlatformRecord | undefined {
  const { links: _links, meta: _meta, ...envelopes } = isRecord(reply) ? reply : {};
  const content = Object.values(envelopes).filter(isRecord);
  return content.length === 1 ? content[0] : undefined;
}

/** What is read; undefined where the platform does not let it be read just now. */
async function orNothing(reading: Promise<unknown>): Promise<unknown> {
  try {
    return await reading;
  } catch (failure) {
    if (!(failure instanceof ToolError) || failure.code === 'not_found' || failure.code === 'unauthenticated') throw failure;
    return undefined;
  }
}
