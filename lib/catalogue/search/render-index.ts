import { callsOf, pathOf, type Tool, type Toolset } from '../tool.ts';
import { synonyms } from './synonyms.ts';
import { wordsIn } from './words-in.ts';

/** What a word weighs by where it stands. */
const weights = { name: 40, title: 8, toolset: 2, argument: 1, description: 3, path: 3 } as const;

/** Whoever names a thing and no more mostly wants to see which there are. */
const lists = 1.25;

/** An index of tools, as `toolSearch` reads it. */
export interface SearchIndex {
  readonly tools: readonly string[];
  /** By word: places in `tools`, each followed by what the word weighs there. */
  readonly words: Readonly<Record<string, readonly number[]>>;
  /** By word: words of `words` that may be meant by it. */
  readonly synonyms: Readonly<Record<string, readonly string[]>>;
}

/**
 * An index over names, titles, descriptions, arguments and what people call them, as a JSON text. Like the listing it is made while bundling.
 *
 * @param listing what `renderListing` makes of the same toolsets
 */
export function renderSearchIndex(toolsets: readonly Toolset[], listing: string): string {
  const argumentsOf = listedArguments(listing);
  const tools = toolsets.flatMap((toolset) => toolset.tools.map((tool) => ({ tool, toolset })));
  const weighed = tools.map(({ tool, toolset }) => weigh(tool, toolset, argumentsOf.get(tool.name) ?? []));
  const words = invert(weighed);
  const index: SearchIndex = { tools: tools.map(({ tool }) => tool.name), words, synonyms: knownSynonyms(words) };
  return JSON.stringify(index);
}

type Weighed = ReadonlyMap<string, number>;

function weigh(tool: Tool, toolset: Toolset, args: readonly string[]): Weighed {
  const weighed = new Map<string, number>();
  const add = (text: string, weight: number) => {
    for (const word of new Set(wordsIn(text))) weighed.set(word, (weighed.get(word) ?? 0) + weight * (tool.summary ? lists : 1));
  };
  // In a long name each word says less of what the tool is.
  add(tool.name, weights.name / (1.5 + wordsIn(tool.name).length));
  add(tool.title, weights.title);
  add(`${toolset.name} ${toolset.title}`, weights.toolset);
  add(args.join(' '), weights.argument);
  add(tool.description, weights.description);
  add(
    callsOf(tool)
      .map(pathOf)
      .join(' ')
      .replaceAll(/\{\w+\}/g, ''),
    weights.path,
  );
  return weighed;
}

/** The seldom ones tell more: a word counts by the logarithm of how many tools are without it. */
function invert(weighed: readonly Weighed[]): SearchIndex['words'] {
  const words = new Map<string, number[]>();
  weighed.forEach((weightOf, place) => {
    for (const [word, weight] of weightOf) words.set(word, [...(words.get(word) ?? []), place, weight]);
  });
  const sorted = [...words].sort(([a], [b]) => (a < b ? -1 : 1));
  return Object.fromEntries(
    sorted.map(([word, places]) => {
      const rarity = Math.log(1 + (2 * weighed.length) / places.length);
      return [word, places.map((value, at) => (at % 2 === 0 ? value : Math.round(value * rarity)))];
    }),
  );
}

function knownSynonyms(words: SearchIndex['words']): SearchIndex['synonyms'] {
  const entries = Object.entries(synonyms).map(
    ([word, meant]) => [word, wordsIn(meant).filter((one) => Object.hasOwn(words, one))] as const,
  );
  return Object.fromEntries(entries.filter(([, meant]) => meant.length > 0));
}

function listedArguments(listing: string): ReadonlyMap<string, readonly string[]> {
  // Safe: the listing is rendered from declarations.
  const listed = JSON.parse(listing) as readonly { readonly name: string; readonly inputSchema: { readonly properties?: object } }[];
  return new Map(listed.map(({ name, inputSchema }) => [name, Object.keys(inputSchema.properties ?? {})]));
}
