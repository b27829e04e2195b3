import type { ToolSearch } from '../catalogue/search/tool-search.ts';

/** `ToolSearch`, loaded with the first question. */
export type LateSearch = (question: string) => Promise<readonly string[]>;

/** Where the index that `renderSearchIndex` made is loaded from: a module, so that a bundle reads it only for a question. */
export type SearchIndexSource = () => Promise<{ readonly searchIndex: string }>;

/** The search over an index that is to be loaded. */
export function lateSearch(source: SearchIndexSource): LateSearch {
  let search: ToolSearch | undefined;
  return async (question) => {
    search ??= await load(source);
    return search(question);
  };
}

async function load(source: SearchIndexSource): Promise<ToolSearch> {
  const { toolSearch } = await import('../catalogue/search/tool-search.ts');
  const { searchIndex } = await source();
  return toolSearch(searchIndex);
}
