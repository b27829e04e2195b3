import { nearestOf } from '../nearest.ts';
import type { SearchIndex } from './render-index.ts';
import { wordsIn } from './words-in.ts';

/** The names of the tools that fit a question in a person's words, best first. */
export type ToolSearch = (question: string) => readonly string[];

/** How much is left of a match that is not the word itself. */
const discounts = { synonym: 0.7, beginning: 0.6, misspelt: 0.6 } as const;

/** What scores less than this part of the best is no answer to the question. */
const leastPart = 0.3;

const mostWords = 24;

/** By how many letters a misspelt word may be too long or too short. */
const mostMisspelt = 2;

/**
 * A search over an index that `renderSearchIndex` made, read with the first question. It forgives typos and beginnings of words, and a tool that has
 * more of the question's words goes before one that has few of them often.
 */
export function toolSearch(indexText: string): ToolSearch {
  let read: SearchIndex | undefined;
  return (question) => {
    // Safe: only renderSearchIndex makes these texts.
    read ??= JSON.parse(indexText) as SearchIndex;
    return rank(read, question);
  };
}

function rank(index: SearchIndex, question: string): readonly string[] {
  const words = [...new Set(wordsIn(question.slice(0, 400)))].slice(0, mostWords);
  const totals = new Map<number, { score: number; found: number }>();
  for (const word of words) {
    for (const [place, score] of scoresOf(word, index)) {
      const total = totals.get(place) ?? { score: 0, found: 0 };
      totals.set(place, { score: total.score + score, found: total.found + 1 });
    }
  }
  const ranked = [...totals]
    .map(([place, { score, found }]) => ({ name: index.tools[place] ?? '', score: (score * found) / words.length }))
    .sort((a, b) => b.score - a.score || a.name.length - b.name.length);
  const least = (ranked[0]?.score ?? 0) * leastPart;
  const names = ranked.filter(({ score }) => score >= least).map(({ name }) => name);
  const exact = question.trim().toLowerCase();
  return index.tools.includes(exact) ? [exact, ...names.filter((name) => name !== exact)] : names;
}

/** What a word of the question is worth to each tool: the best of what may be meant by it. */
function scoresOf(word: string, index: SearchIndex): ReadonlyMap<number, number> {
  const best = new Map<number, number>();
  for (const { term, worth } of meaningsOf(word, index)) {
    const places = index.words[term] ?? [];
    for (let at = 0; at < places.length; at += 2) {
      const [place = 0, weight = 0] = places.slice(at, at + 2);
      best.set(place, Math.max(best.get(place) ?? 0, weight * worth));
    }
  }
  return best;
}

interface Meaning {
  readonly term: string;
  readonly worth: number;
}

function meaningsOf(word: string, index: SearchIndex): readonly Meaning[] {
  const known = knownAs(word, index, 1);
  if (known.length > 0) return known;
  const vocabulary = [...Object.keys(index.words), ...Object.keys(index.synonyms)];
  const longer = word.length < 3 ? [] : vocabulary.filter((one) => one.startsWith(word));
  if (longer.length > 0) return longer.flatMap((one) => knownAs(one, index, discounts.beginning));
  const alike = vocabulary.filter((one) => Math.abs(one.length - word.length) <= mostMisspelt);
  const near = word.length < 4 ? [] : nearestOf(word, alike, 3);
  return near.flatMap((one) => knownAs(one, index, discounts.misspelt));
}

/** A word of the index itself, and those that it may stand for. */
function knownAs(word: string, { words, synonyms }: SearchIndex, worth: number): readonly Meaning[] {
  const meant = Object.hasOwn(synonyms, word) ? (synonyms[word] ?? []) : [];
  const itself = Object.hasOwn(words, word) ? [{ term: word, worth }] : [];
  return [...itself, ...meant.map((term) => ({ term, worth: worth * discounts.synonym }))];
}
