import { distance as editDistance } from 'fastest-levenshtein';

/**
 * The candidate a misspelt name most likely stands for: at most two edits away, or a third of the name, or the name cut short. Null when
 * none is close.
 */
export function nearestName(name: string, candidates: readonly string[]): string | null {
  const limit = Math.max(2, Math.floor(name.length / 3));
  const ranked = candidates
    .map((candidate) => ({ candidate, distance: distance(name.toLowerCase(), candidate.toLowerCase()) }))
    .sort((a, b) => a.distance - b.distance);
  const best = ranked[0];
  return best !== undefined && best.distance <= limit && best.distance < name.length ? best.candidate : null;
}

/** `; did you mean "x"?` or nothing: the tail of a message about an unknown name. */
export function didYouMean(name: string, candidates: readonly string[]): string {
  const nearest = nearestName(name, candidates);
  return nearest === null ? '' : `; did you mean "${nearest}"?`;
}

function distance(name: string, candidate: string): number {
  const edits = editDistance(name, candidate);
  return name.length > 2 && candidate.startsWith(name) ? Math.min(edits, 2) : edits;
}
