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
    const pattern = patternOf(text);
    const fits = !names || fitsSome(pattern, names);
    if (fits && text.length <= longestPattern) return pattern;
    const near = nearest(pattern.glob, names ?? []);
    throw misspelt('tools', text, 'tool names or globs such as firewall-*, with ! in front to leave out', near);
  });
}

export function patternOf(text: string): ToolPattern {
  const takesAway = text.startsWith('!');
  return { takesAway, glob: takesAway ? text.slice(1) : text };
}

/** Whether there is a tool that a pattern names or takes away. */
export function fitsSome({ glob }: ToolPattern, names: readonly string[]): boolean {
  return names.some((name) => matchesGlob(name, glob));
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
