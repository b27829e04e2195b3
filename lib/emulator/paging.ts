import { messages } from './assumptions.ts';
import { unprocessable } from './errors.ts';
import { jsonList } from './json-list.ts';
import type { PlatformRequest } from './resources/family.ts';
import type { Source } from './store/collection.ts';

const DEFAULT_PER_PAGE = 20;
const MAX_PER_PAGE = 200;

/**
 * A page of a list: `{"<key>": [...], "links": {...}, "meta": {"total": n}}`, with `more` spliced in as further members.
 * Errors: 422 for a page or per_page that is no number from 1. Source: the OpenAPI document, components `pagination` and `meta`.
 */
export function listReply(request: PlatformRequest, key: string, source: Source, more = ''): Buffer {
  const { page, perPage } = readPage(request.query);
  const items = source.texts(perPage, (page - 1) * perPage);
  const links = pageLinks(request, page, perPage, source.total);
  return jsonList(`{"${key}":[`, items, `],${more}"links":${links},"meta":{"total":${source.total}}}`);
}

/** The whole of a short list, for the lists that the platform does not page. */
export function wholeReply(key: string, source: Source): Buffer {
  return jsonList(`{"${key}":[`, source.texts(source.total, 0), ']}');
}

/**
 * The same for a list that the platform's document does not page: a page of it where `page` or `per_page` asks for one, or else the
 * whole of it; never with links. `more` goes behind the list. Errors: as for `listReply`.
 */
export function unlinkedReply(request: PlatformRequest, key: string, source: Source, more = ''): Buffer {
  const asked = request.query.has('page') || request.query.has('per_page');
  const { page, perPage } = asked ? readPage(request.query) : { page: 1, perPage: source.total };
  return jsonList(`{"${key}":[`, source.texts(perPage, (page - 1) * perPage), `]${more}}`);
}

/** A list that is held in memory. */
export function fixedSource(texts: readonly string[]): Source {
  return { total: texts.length, texts: (limit, offset) => texts.slice(offset, offset + limit) };
}

/** One list after the other, as if they were one. */
export function joinedSource(first: Source, second: Source): Source {
  return {
    total: first.total + second.total,
    texts: (limit, offset) => {
      const head = offset < first.total ? first.texts(limit, offset) : [];
      const rest = limit - head.length;
      return rest === 0 ? head : [...head, ...second.texts(rest, Math.max(0, offset - first.total))];
    },
  };
}

export const emptySource: Source = fixedSource([]);

function readPage(query: URLSearchParams): { readonly page: number; readonly perPage: number } {
  const page = wholeNumber(query.get('page'), 1, messages.pageInvalid);
  const perPage = wholeNumber(query.get('per_page'), DEFAULT_PER_PAGE, messages.perPageInvalid);
  return { page, perPage: Math.min(perPage, MAX_PER_PAGE) };
}

function wholeNumber(text: string | null, absent: number, message: string): number {
  if (text === null) {
    return absent;
  }
  if (!/^[1-9]\d{0,8}$/.test(text)) {
    throw unprocessable(message);
  }
  return Number(text);
}

function pageLinks(request: PlatformRequest, page: number, perPage: number, total: number): string {
  const last = Math.max(1, Math.ceil(total / perPage));
  if (last === 1 && page === 1) {
    return '{}';
  }
  const others = [...request.query].filter(([name]) => name !== 'page' && name !== 'per_page');
  const kept = others.length === 0 ? '' : `${new URLSearchParams(others)}&`;
  const size = request.query.has('per_page') ? `&per_page=${perPage}` : '';
  const href = (to: number): string => `${request.origin}${request.path}?${kept}page=${to}${size}`;
  const back = page > 1 ? { first: href(1), prev: href(Math.min(page - 1, last)) } : {};
  const forward = page < last ? { next: href(page + 1), last: href(last) } : {};
  return JSON.stringify({ pages: { ...back, ...forward } });
}
