import { distance } from 'fastest-levenshtein';
import { badRequest } from '../errors.ts';
import type { JsonObject } from '../fields.ts';

/** Refuses keys that `what` does not take: 400 naming each, the one that was probably meant, and all there are. */
export function refuseUnknownKeys(what: string, given: JsonObject, known: readonly string[]): void {
  const problems = Object.keys(given)
    .filter((name) => !known.includes(name))
    .map((name) => {
      const meant = nearest(name, known);
      return meant === undefined ? `${name} is not known` : `${name} is not known, ${meant} is`;
    });
  if (problems.length > 0) {
    const takes = known.length === 0 ? 'nothing' : known.join(', ');
    throw badRequest(`${what}: ${problems.join('; ')}; it takes ${takes}.`);
  }
}

/** The name most like a word, by edit distance without regard to case; undefined where more than a third of its letters would change. */
function nearest(word: string, names: readonly string[]): string | undefined {
  const wanted = word.slice(0, MAX_LENGTH).toLowerCase();
  const [best] = names
    .map((name) => ({ name, distance: distance(wanted, name.toLowerCase()) }))
    .filter(({ name, distance: edits }) => edits <= Math.max(1, Math.floor(Math.max(wanted.length, name.length) / 3)))
    .sort((one, other) => one.distance - other.distance);
  return best?.name;
}

const MAX_LENGTH = 64;
