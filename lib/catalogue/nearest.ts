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
    .map((candidate) => ({ candidate, distance: editsBetween(wanted, candidate.toLowerCase()) }))
    .filter(({ candidate, distance: edits }) => edits <= Math.max(1, Math.floor(Math.max(wanted.length, candidate.length) / 3)))
    .sort((a, b) => a.distance - b.distance || a.candidate.localeCompare(b.candidate))
    .slice(0, limit)
    .map(({ candidate }) => candidate);
}

/** Two neighbours that have changed places are one edit, though the letters would count two: it is the commonest slip, and short words allow but one. */
function editsBetween(word: string, candidate: string): number {
  const edits = distance(word, candidate);
  return edits === 2 && isSwapped(word, candidate) ? 1 : edits;
}

function isSwapped(word: string, candidate: string): boolean {
  const at = [...word].findIndex((letter, index) => letter !== candidate[index]);
  return `${word.slice(0, at)}${word[at + 1]}${word[at]}${word.slice(at + 2)}` === candidate;
}
