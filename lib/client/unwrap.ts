import { isRecord } from '../catalogue/is-record.ts';
import { maxPerPage } from '../catalogue/per-page.ts';
import { type Arguments, pathArguments, type Tool } from '../catalogue/tool.ts';
import { ToolError } from '../errors.ts';
import { project } from './project.ts';

/** What a tool returns: always an object. */
export type Result = Readonly<Record<string, unknown>>;

/**
 * A tool's result out of the platform's reply.
 *
 * One record -> the record; a create keeps `actions` out of the reply's links. A list -> `{items, page, perPage, total, nextPage}` with the
 * reply's other keys beside them; `total` is null unless the platform said it or everything was seen. Bulk actions -> `{items}`. No body ->
 * `{done: true}` with the arguments that name the resource. Without an envelope the reply is returned whole.
 *
 * @throws ToolError `platform_error` for a reply of another shape.
 */
export function unwrap(tool: Tool, input: Arguments, body: unknown): Result {
  if (body === undefined) return { done: true, ...identifying(tool, input) };
  if (!isRecord(body)) throw unfitting(tool, 'the reply is not an object');
  if (tool.returns === undefined) return body;
  const { [tool.returns]: content, links, meta, ...others } = body;
  if (Array.isArray(content)) return list(tool, input, content, meta, others);
  if (!isRecord(content)) throw unfitting(tool, `the reply has no ${tool.returns}`);
  const actions = isRecord(links) ? links.actions : undefined;
  return actions === undefined ? content : { ...content, actions };
}

function list(tool: Tool, input: Arguments, content: readonly unknown[], meta: unknown, others: Result): Result {
  const items = content.map((item) => project(item, input.Fields, tool.summary));
  if (typeof input.Page !== 'number') return { items, ...others };
  const page = input.Page;
  const perPage = Math.min(Number(input.PerPage), maxPerPage);
  const said = isRecord(meta) && typeof meta.total === 'number' ? meta.total : undefined;
  const sawAll = page === 1 && items.length < perPage;
  const total = said ?? (sawAll ? items.length : null);
  const more = total === null ? items.length === perPage : page * perPage < total;
  return { items, page, perPage, total, nextPage: more ? page + 1 : null, ...others };
}

function identifying(tool: Tool, input: Arguments): Result {
  return Object.fromEntries(pathArguments(tool).map((name) => [name, input[name]]));
}

function unfitting(tool: Tool, what: string): ToolError {
  return new ToolError('platform_error', `${tool.name}: the platform answered something that cannot be understood: ${what}`);
}
