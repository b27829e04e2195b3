import { mostTold, type Reading, refuse, squeezed } from './reading.ts';

/** The names an object may have. */
export interface Names {
  readonly known: readonly string[];
  /** Whether further names pass. */
  readonly open: boolean;
  /** Other names of known ones. */
  readonly aliases?: Readonly<Record<string, string>>;
}

/** The values of an object under their declared names, and those of further names. */
export interface Matched {
  readonly known: ReadonlyMap<string, unknown>;
  readonly others: readonly (readonly [string, unknown])[];
}

/** Finds for each given name the declared one. What is given twice, or unknown in a closed object, is a problem. */
export function matchNames({ known: names, open, aliases = {} }: Names, value: object, field: string, reading: Reading): Matched {
  const key = (name: string) => (reading.snakeCase ? squeezed(name) : name.toLowerCase());
  const declared = () => [...names.map((name) => [name, name] as const), ...Object.entries(aliases)];
  let byKey: ReadonlyMap<string, string> | undefined;
  const other = (given: string) => {
    byKey ??= new Map(declared().map(([name, to]) => [key(name), to]));
    return byKey.get(key(given));
  };
  const known = new Map<string, unknown>();
  const others: [string, unknown][] = [];
  for (const [given, content] of Object.entries(value)) {
    const name = names.includes(given) ? given : other(given);
    const path = field ? `${field}.${given}` : given;
    if (name === undefined) {
      if (open) others.push([given, content]);
      else refuseUnknown(given, content, names, path, reading);
      continue;
    }
    if (known.has(name) && JSON.stringify(known.get(name)) !== JSON.stringify(content)) {
      refuse(reading, path, content, `one value for ${name}; it was given twice`);
      continue;
    }
    known.set(name, content);
  }
  return { known, others };
}

function refuseUnknown(given: string, content: unknown, names: readonly string[], path: string, reading: Reading): void {
  const told = reading.problems.length < mostTold;
  const expected = names.length > 0 ? `one of ${told ? names.join(', ') : names.length}` : 'no arguments';
  // A misspelt name may well be that of a secret.
  refuse(reading, path.slice(0, 120), content, expected, { word: given, candidates: names, hidden: reading.rules.secrets !== undefined });
}
