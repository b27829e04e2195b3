import type { Json } from '../project.ts';

/** Says that something is wrong on a line (from 1) of the file at hand. */
export type Report = (line: number | null, message: string) => void;

/** Where substitutions take their values from. Both answer null for what is not there. */
export interface SubstitutionSources {
  /** A variable by name. */
  readonly variable: (name: string) => string | null;
  /** A file of JSON or NAME=value lines by its path relative to the project. */
  readonly file: (path: string) => Readonly<Record<string, Json>> | null;
}

/** A reference without a value: what it names, the original line, and a message for the reader. */
export interface Unresolved {
  readonly name: string;
  readonly line: number;
  readonly message: string;
}

/**
 * The text after substitution; `lineOf` maps its lines back to those of the original. What has no value is in `unresolved`, and nothing
 * stands in its place; `spoiled` holds the original lines where something is missing.
 */
export interface Substituted {
  readonly text: string;
  readonly lineOf: (line: number) => number;
  readonly unresolved: readonly Unresolved[];
  readonly spoiled: ReadonlySet<number>;
}

const REFERENCE = /\$\{([^}\n]*)\}|\$\(([^)]*)\)|\$[{(]/g;

/**
 * Replaces `${VAR}`, `${|VAR}` (line breaks kept), `${<file}` and `$(A B)` in project.yml, textually and before the YAML is parsed
 * (platform reference, project configuration). An empty value counts as none. Reports references that are no such form.
 */
export function substitute(text: string, sources: SubstitutionSources, report: Report): Substituted {
  const origin: number[] = [1];
  const unresolved: Unresolved[] = [];
  const spoiled = new Set<number>();
  let output = '';
  let line = 1;
  let from = 0;

  const keep = (piece: string): void => {
    output += piece;
    for (let index = piece.indexOf('\n'); index >= 0; index = piece.indexOf('\n', index + 1)) origin.push(++line);
  };
  const insert = (value: string, reference: string): void => {
    output += value;
    for (let count = lineBreaks(value); count > 0; count--) origin.push(line);
    line += lineBreaks(reference);
  };

  for (const match of text.matchAll(REFERENCE)) {
    keep(text.slice(from, match.index));
    from = match.index + match[0].length;
    const missing: Missing = (name, message) => void unresolved.push({ name, line, message });
    const form = formProblem(match);
    if (form === null) insert(replacement(match, sources, missing), match[0]);
    else {
      spoiled.add(line);
      report(line, form);
    }
  }
  keep(text.slice(from));
  for (const missing of unresolved) spoiled.add(missing.line);
  return { text: output, lineOf: (at) => origin[at - 1] ?? line, unresolved, spoiled };
}

/** Takes note of what a name has no value for, and why. */
type Missing = (name: string, message: string) => void;

function formProblem([reference, braced, listed]: RegExpExecArray): string | null {
  if (braced === undefined && listed === undefined) return `"${reference}" is not closed: write \${NAME} on one line, or $(NAME NAME)`;
  return (braced ?? listed ?? '').trim() === '' ? `"${reference}" names no variable: write \${NAME}` : null;
}

function replacement([, braced, listed]: RegExpExecArray, sources: SubstitutionSources, missing: Missing): string {
  const inside = (braced ?? listed ?? '').trim();
  if (listed !== undefined || (!inside.startsWith('<') && !inside.startsWith('|') && /\s/.test(inside))) {
    return dictionary(inside.split(/\s+/), sources, missing);
  }
  if (inside.startsWith('<')) return escapeLineBreaks(fileValue(inside.slice(1).trim(), sources, missing));
  if (inside.startsWith('|')) return variable(inside.slice(1).trim(), sources, missing);
  return escapeLineBreaks(variable(inside, sources, missing));
}

function dictionary(names: readonly string[], sources: SubstitutionSources, missing: Missing): string {
  return JSON.stringify(Object.fromEntries(names.map((name) => [name, variable(name, sources, missing)])));
}

function variable(name: string, sources: SubstitutionSources, missing: Missing): string {
  const value = sources.variable(name);
  if (value !== null && value !== '') return value;
  missing(name, `the variable ${name} has no value: set it in the environment or in the project's .env file (empty counts as missing)`);
  return '';
}

function fileValue(path: string, sources: SubstitutionSources, missing: Missing): string {
  const values = sources.file(path);
  if (values !== null && Object.keys(values).length > 0) return JSON.stringify(values);
  const fault = values === null ? 'does not exist' : 'holds no values';
  missing(`<${path}`, `the file ${path} ${fault}: it needs JSON or NAME=value lines, at this path from the project's directory`);
  return '{}';
}

function escapeLineBreaks(value: string): string {
  return value.replaceAll('\n', '\\n');
}

function lineBreaks(text: string): number {
  return text.split('\n').length - 1;
}
