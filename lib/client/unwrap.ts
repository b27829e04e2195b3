import { isRecord } from '../catalogue/is-record.ts';
import { initialPerPage, maxPerPage } from '../catalogue/per-page.ts';
import { type Arguments, pathArguments, type Tool } from '../catalogue/tool.ts';
import { ToolError } from '../errors.ts';
import { missingFields, project, withoutSecrets } from './project.ts';

/** What a tool returns: always an object. */
export type Result = Readonly<Record<string, unknown>>;

/**
 * A tool's result out of the platform's reply.
 *
 * One record -> the record, or the `Fields` of it that were asked for; a create keeps `actions` out of the reply's links. A list -> `{items, page, perPage, total, nextPage}` with the
 * reply's other keys beside them and `missingFields` where fields were asked for that nothing has; `total` is null unless the platform said it or everything was seen. Bulk actions and other lists without
 * paging -> `{items}`. No body -> `{done: true}` with the arguments that name the resource. Without an envelope the reply is returned whole.
 * Secrets are shown only where the call sets `RevealSecrets`.
 *
 * @throws ToolError `platform_error` for a reply of another shape.
 */
export function unwrap(tool: Tool, input: Arguments, body: unknown): Result {
  if (body === undefined) return { done: true, ...identifying(tool, input) };
  if (!isRecord(body)) throw unfitting(tool, 'the reply is not an object');
  const { returns } = tool;
  if (returns === undefined) return record(tool, input, body);
  const envelope = typeof returns === 'string' ? returns : (returns.find((key) => key in body) ?? returns.join(' or '));
  const { [envelope]: content, links, meta, ...others } = body;
  if (Array.isArray(content)) return list(tool, input, content, meta, others);
  if (!isRecord(content)) throw unfitting(tool, `the reply has no ${envelope}`);
  const actions = isRecord(links) ? links.actions : undefined;
  return { ...record(tool, input, content), ...(actions !== undefined && { actions }) };
}

function record(tool: Tool, input: Arguments, content: Result): Result {
  const missing = missingFields([content], input.Fields);
  return { ...asRecord(project(shown(tool, input, content), input.Fields)), ...(missing.length > 0 && { missingFields: missing }) };
}

function list(tool: Tool, input: Arguments, content: readonly unknown[], meta: unknown, others: Result): Result {
  const show = (item: unknown) => project(isRecord(item) ? shown(tool, input, item) : item, input.Fields, tool.summary);
  if (tool.summary === undefined) return { items: content.map(show), ...others };
  const asked = pageAsked(input);
  const page = asked?.page ?? 1;
  const perPage = asked?.perPage ?? content.length;
  // The platform does not page every list: where more came than a page holds, everything came.
  const whole = content.length > perPage;
  const items = (whole ? content.slice((page - 1) * perPage, page * perPage) : content).map(show);
  const said = isRecord(meta) && typeof meta.total === 'number' ? meta.total : undefined;
  const sawAll = !asked || (page === 1 && content.length < perPage);
  const total = said ?? (whole || sawAll ? content.length : null);
  const more = total === null ? items.length === perPage : page * perPage < total;
  const missing = missingFields(content, input.Fields);
  const paging = { page, perPage, total, nextPage: more ? page + 1 : null };
  return { items, ...paging, ...(missing.length > 0 && { missingFields: missing }), ...others };
}

/** The page that was asked for; undefined where a list is returned whole unless one is. */
function pageAsked(input: Arguments): { readonly page: number; readonly perPage: number } | undefined {
  const page = input.Page ?? input.page;
  const perPage = input.PerPage ?? input.per_page;
  if (page === undefined && perPage === undefined) return undefined;
  return { page: Number(page ?? 1), perPage: Math.min(Number(perPage ?? initialPerPage), maxPerPage) };
}

/** A record in the words used outside, its secrets hidden. */
function shown(tool: Tool, input: Arguments, record: Result): Result {
  const inOurWords = tool.show?.(record) ?? record;
  if (!tool.secrets || input.RevealSecrets === true) return inOurWords;
  return asRecord(withoutSecrets(inOurWords, tool.secrets));
}

function asRecord(value: unknown): Result {
  if (isRecord(value)) return value;
  throw new Error('a record was turned into something else');
}

function identifying(tool: Tool, input: Arguments): Result {
  return Object.fromEntries(pathArguments(tool).map((name) => [name, input[name]]));
}

function unfitting(tool: Tool, what: string): ToolError {
  return new ToolError('platform_error', `${tool.name}: the platform answered something that cannot be understood: ${what}`);
}
