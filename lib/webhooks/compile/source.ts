import {
  isAlias,
  isMap,
  isScalar,
  isSeq,
  LineCounter,
  type Node,
  type Pair,
  parseDocument,
  type Scalar,
  type YAMLMap,
  type YAMLSeq,
} from 'yaml';
import { nearest } from '../../catalogue/nearest.ts';

/** A text of YAML, and what is found to be wrong with it. */
export interface Source {
  readonly root: Node | null;
  readonly problems: readonly string[];
  /** Notes that something is wrong at a node. */
  refuse(at: Node | Scalar | undefined, what: string): void;
}

/** One member of a map: its name, where that stands, and its value. */
export interface Member {
  readonly name: string;
  readonly key: Scalar;
  readonly value: Node | undefined;
}

/** Reads YAML with the places of everything in it. Aliases are refused: what stands in the file is to be seen where it counts. */
export function readSource(file: string, text: string): Source {
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines, prettyErrors: false });
  const problems: string[] = [];
  const note = (offset: number, what: string) => {
    const { line, col } = lines.linePos(offset);
    problems.push(`${file}:${line}:${col}: ${what}`);
  };
  for (const { pos, message } of document.errors) note(pos[0], message);
  return { root: document.contents, problems, refuse: (at, what) => note(at?.range?.[0] ?? 0, what) };
}

/** The members of a map; a problem, and none, where there is no map. Names that are not known are problems too. */
export function membersOf(
  node: Node | undefined | null,
  what: string,
  known: readonly string[] | undefined,
  source: Source,
  at?: Node,
): readonly Member[] {
  if (!isMap(node)) {
    source.refuse(node ?? at, `${what}: expected a map${known ? ` of ${known.join(', ')}` : ''}, got ${shown(node)}`);
    return [];
  }
  const members = mapMembers(node, source);
  for (const { name, key } of known ? members : []) {
    if (known?.includes(name)) continue;
    const near = nearest(name, known ?? []);
    source.refuse(
      key,
      `${what}: there is no ${JSON.stringify(name)}; it may have ${known?.join(', ')}${near ? ` (did you mean ${near}?)` : ''}`,
    );
  }
  return members;
}

function mapMembers(map: YAMLMap, source: Source): readonly Member[] {
  // Safe: a document that was parsed has nodes in its pairs.
  const pairs = map.items as Pair<Node, Node | null>[];
  return pairs.flatMap(({ key, value }) => {
    if (isScalar(key)) return [{ name: String(key.value), key, value: value ?? undefined }];
    source.refuse(key, 'a name is a text');
    return [];
  });
}

/** The items of a list; a problem, and none, where there is no list. */
export function itemsOf(node: Node | undefined, what: string, source: Source, at?: Node): readonly Node[] {
  // Safe: a document that was parsed has nodes in its lists.
  if (isSeq(node)) return (node as YAMLSeq<Node>).items;
  source.refuse(node ?? at, `${what}: expected a list, got ${shown(node)}`);
  return [];
}

/** A text; a problem, and undefined, where there is none. */
export function textOf(node: Node | undefined, what: string, source: Source, at?: Node): string | undefined {
  if (isScalar(node) && typeof node.value === 'string' && node.value.trim() !== '') return node.value;
  source.refuse(node ?? at, `${what}: expected a text, got ${shown(node)}`);
  return undefined;
}

/** A value as a message may show it. */
export function shown(node: Node | undefined | null): string {
  if (!node) return 'nothing';
  if (isMap(node)) return 'a map';
  if (isSeq(node)) return 'a list';
  if (isAlias(node)) return 'an alias, which this file may not have';
  return isScalar(node) ? (JSON.stringify(node.value) ?? 'nothing').slice(0, 80) : 'something else';
}
