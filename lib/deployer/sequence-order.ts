import type { ProjectFunction } from './project.ts';

/** A sequence and the functions it runs one after the other, by the names project.yml gives them. */
export type Sequence = ProjectFunction & { readonly source: { readonly type: 'sequence'; readonly components: readonly string[] } };

/** Sequences so that each comes after those it runs, or the names of a circle in which none can come first. */
export type SequenceOrder = { readonly ordered: readonly Sequence[] } | { readonly circle: readonly string[] };

export function isSequence(entry: ProjectFunction): entry is Sequence {
  return entry.source.type === 'sequence';
}

/** Orders the sequences of a project by what they run: a host takes a sequence only when all of its functions are there. */
export function orderSequences(sequences: readonly Sequence[], namespace: string): SequenceOrder {
  const byName = new Map(sequences.map((sequence) => [qualifiedName(sequence.fullName, namespace), sequence]));
  const ordered = new Set<Sequence>();
  const visit = (sequence: Sequence, path: readonly Sequence[]): readonly string[] | null => {
    if (path.includes(sequence)) return [...path.slice(path.indexOf(sequence)), sequence].map((entry) => entry.fullName);
    if (ordered.has(sequence)) return null;
    for (const component of sequence.source.components) {
      const found = byName.get(qualifiedName(component, namespace));
      const circle = found === undefined ? null : visit(found, [...path, sequence]);
      if (circle !== null) return circle;
    }
    ordered.add(sequence);
    return null;
  };
  for (const sequence of sequences) {
    const circle = visit(sequence, []);
    if (circle !== null) return { circle };
  }
  return { ordered: [...ordered] };
}

/** A function's name as a host wants it in a sequence: `/namespace/package/function`. */
export function qualifiedName(name: string, namespace: string): string {
  const absolute = name.startsWith('/') ? name : `/${namespace}/${name}`;
  return absolute.replace(/^\/_\//, `/${namespace}/`).replace(/^(\/[^/]+)\/default\//, '$1/');
}
