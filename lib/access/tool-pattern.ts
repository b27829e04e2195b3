import { nearest } from '../catalogue/nearest.ts';
import { misspelt } from './misspelt.ts';

/** A tool name in which `*` stands for anything; one that takes away has `!` in front. */
export interface ToolPattern {
  readonly takesAway: boolean;
  readonly glob: string;
}

const mostPatterns = 200;
const longestPattern = 100;

/**
 * Reads patterns. Where names are given, one that fits none of them is an error, so that a misspelt `!` never leaves a tool in.
 *
 * @throws ToolError `invalid_arguments`
 */
export function readPatterns(texts: readonly string[], names: readonly string[] | undefined): readonly ToolPattern[] {
  if (texts.length > mostPatterns) throw misspelt('tools', `${texts.length} patterns`, `at most ${mostPatterns} patterns`);
  return texts.map((text) => {
    const takesAway = text.startsWith('!');
    const glob = takesAway ? text.slice(1) : text;
    const fits = !names || names.some((name) => matchesGlob(name, glob));
    if (fits && text.length <= longestPattern) return { takesAway, glob };
    throw misspelt('tools', text, 'tool names or globs such as firewall-*, with ! in front to leave out', nearest(glob, names ?? []));
  });
}

/** Only what is taken away: all but that. Otherwise: what is named, less what is taken away. */
export function admitsName(name: string, patterns: readonly ToolPattern[]): boolean {
  if (patterns.some(({ takesAway, glob }) => takesAway && matchesGlob(name, glob))) return false;
  const named = patterns.filter(({ takesAway }) => !takesAway);
  return named.length === 0 || named.some(({ glob }) => matchesGlob(name, glob));
}

/** Finds the texts between the stars one after the other: a regular expression with many stars takes time without end. */
function matchesGlob(name: string, glob: string): boolean {
  const [beginning = '', ...rest] = glob.split('*');
  const ending = rest.pop();
  if (ending === undefined) return name === glob;
  if (!name.startsWith(beginning) || !name.endsWith(ending)) return false;
  const until = name.length - ending.length;
  let from = beginning.length;
  for (const part of rest) {
    const at = name.indexOf(part, from);
    if (at < 0) return false;
    from = at + part.length;
  }
  return from <= until;
}
