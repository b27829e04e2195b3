import { type Document, isAlias, isMap, isScalar, isSeq, LineCounter, type Node, parseDocument, type Scalar, type YAMLMap } from 'yaml';
import type { Json } from '../project.ts';
import type { Report } from './substitute.ts';

/** A YAML value that still knows its line, from 1. */
export type Located = LocatedScalar | LocatedList | LocatedMap;

export interface LocatedScalar {
  readonly type: 'scalar';
  readonly line: number;
  readonly value: string | number | boolean | null;
}

export interface LocatedList {
  readonly type: 'list';
  readonly line: number;
  readonly items: readonly Located[];
}

export interface LocatedMap {
  readonly type: 'map';
  readonly line: number;
  readonly entries: readonly LocatedEntry[];
}

export interface LocatedEntry {
  readonly key: string;
  readonly line: number;
  readonly value: Located;
}

/**
 * Parses YAML 1.2 with anchors and merge keys. Reports what is no valid YAML and answers null then. `lineOf` maps lines of `text` to those
 * shown.
 */
export function parseLocated(text: string, lineOf: (line: number) => number, report: Report): Located | null {
  const counter = new LineCounter();
  // Pretty errors quote the source, which holds substituted secrets.
  const document = parseDocument(text, { lineCounter: counter, prettyErrors: false, schema: 'core' });
  const lineAt = (offset: number): number => lineOf(counter.linePos(offset).line);
  for (const error of document.errors) report(lineAt(error.pos[0]), `not valid YAML: ${error.message}`);
  if (document.errors.length > 0 || document.contents === null) return null;
  return new Conversion(document, lineAt, report).convert(document.contents, 0);
}

/** The plain value, without lines. */
export function plainValue(node: Located): Json {
  if (node.type === 'scalar') return node.value;
  if (node.type === 'list') return node.items.map(plainValue);
  return Object.fromEntries(node.entries.map((entry) => [entry.key, plainValue(entry.value)]));
}

const DEPTH_LIMIT = 60;
const NODE_LIMIT = 100_000;

/** Owns the count of nodes that keeps self-referring and exploding aliases finite. */
class Conversion {
  readonly #document: Document;
  readonly #lineAt: (offset: number) => number;
  readonly #report: Report;
  #nodes = 0;

  constructor(document: Document, lineAt: (offset: number) => number, report: Report) {
    this.#document = document;
    this.#lineAt = lineAt;
    this.#report = report;
  }

  convert(node: unknown, depth: number, fallbackLine = 1): Located {
    const line = this.#lineOfNode(node, fallbackLine);
    const empty: LocatedScalar = { type: 'scalar', line, value: null };
    if (++this.#nodes > NODE_LIMIT || depth > DEPTH_LIMIT) {
      if (this.#nodes <= NODE_LIMIT + 1) this.#report(line, 'the aliases (*name) of this file expand without end: write the values out');
      this.#nodes = NODE_LIMIT + 1;
      return empty;
    }
    if (isAlias(node)) return this.convert(node.resolve(this.#document) ?? null, depth + 1, line);
    if (isMap(node)) return { type: 'map', line, entries: this.#entries(node, depth, line) };
    if (isSeq(node)) return { type: 'list', line, items: node.items.map((item) => this.convert(item, depth + 1, line)) };
    return isScalar(node) ? this.#scalar(node, line) : empty;
  }

  #entries(map: YAMLMap, depth: number, line: number): readonly LocatedEntry[] {
    const own: LocatedEntry[] = [];
    const merged: LocatedEntry[] = [];
    for (const pair of map.items) {
      const key = isScalar(pair.key) ? String(pair.key.value) : String(pair.key);
      const keyLine = this.#lineOfNode(pair.key, line);
      const value = this.convert(pair.value, depth + 1, keyLine);
      if (key === '<<') merged.push(...mergeEntries(value));
      else own.push({ key, line: keyLine, value });
    }
    const byKey = new Map<string, LocatedEntry>();
    for (const entry of [...own, ...merged]) if (!byKey.has(entry.key)) byKey.set(entry.key, entry);
    return [...byKey.values()];
  }

  #scalar(node: Scalar, line: number): LocatedScalar {
    const { value } = node;
    if (node.type === 'PLAIN' && node.source !== undefined && readsOtherwise(node.source)) {
      this.#report(line, `"${node.source}" means a date, another number or text to the platform's own YAML reader: put it in quotes`);
    }
    if (typeof value === 'number' && !Number.isFinite(value)) {
      this.#report(line, `${value} is not a number that JSON can carry: write a finite number`);
      return { type: 'scalar', line, value: null };
    }
    const known = typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean';
    return { type: 'scalar', line, value: known ? value : null };
  }

  #lineOfNode(node: unknown, fallbackLine: number): number {
    // A YAML node carries its range; anything else (an empty value is null) has no place of its own.
    const range = typeof node === 'object' && node !== null ? (node as Node).range : null;
    return range ? this.#lineAt(range[0]) : fallbackLine;
  }
}

function mergeEntries(value: Located): readonly LocatedEntry[] {
  if (value.type === 'map') return value.entries;
  return value.type === 'list' ? value.items.flatMap(mergeEntries) : [];
}

const READ_OTHERWISE = [
  /^\d{4}-\d{1,2}-\d{1,2}([Tt\s].*)?$/,
  /^[-+]?0[bo]?[0-9_]+$/,
  /^[-+]?[0-9][0-9_]*(:[0-5]?[0-9])+(\.[0-9_]*)?$/,
  /^[-+]?[0-9]+(_[0-9]+)+$/,
  /^[-+]\.[0-9]/,
];

/** Plain scalars that the platform's deployer, on YAML 1.1 rules, takes for dates, octal, base-60 or grouped numbers, or for text. */
function readsOtherwise(source: string): boolean {
  return READ_OTHERWISE.some((pattern) => pattern.test(source));
}
