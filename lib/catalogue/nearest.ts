import { distance } from 'fastest-levenshtein';

/**
 * The candidate most like a word, by edit distance without regard to case; undefined where none is near
 * (more than a third of its letters would have to change).
 */
export function nearest(word: string, candidates: Iterable<string>): string | undefined {
  return nearestOf(word, candidates, 1)[0];
}

/** The candidates most like a word, best first, at most `limit`. */
export function nearestOf(word: string, candidates: Iterable<string>, limit: number): readonly string[] {
  const wanted = word.slice(0, 64).toLowerCase();
  return [...candidates]
    .map((candidate) => ({ candidate, distance: distance(wanted, candidate.toLowerCase()) }))
    .filter(({ candidate, distance: edits }) => edits <= Math.max(1, Math.floor(Math.max(wanted.length, candidate.length) / 3)))
    .sort((a, b) => a.distance - b.distance || a.candidate.localeCompare(b.candidate))
    .slice(0, limit)
    .map(({ candidate }) => candidate);
}
