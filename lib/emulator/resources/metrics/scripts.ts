import type { Account } from '../../store/account.ts';
import { collection } from '../../store/collection.ts';
import { secondOf } from './runs.ts';
import { level, line, type Piece, replaced, type Series } from './series/series.ts';
import type { SubjectKind } from './subjects.ts';

/** How a scripted measure goes: one of these. */
export interface Shape {
  /** The same all the time. */
  readonly constant?: number;
  /** From the one evenly to the other. */
  readonly ramp?: readonly [number, number];
  /** Up or down to this in the middle, from what was before and back to what comes after. */
  readonly spike?: number;
  /** One after the other, each for an equal share of the time. */
  readonly list?: readonly number[];
}

/** What a measure of a resource is to be for a while, in place of what it would be. */
export interface Script extends Shape {
  readonly id: number;
  readonly resource: string;
  readonly metric: string;
  readonly from: string;
  /** Null: for ever, which only a constant can go on. */
  readonly to: string | null;
}

export const scripts = collection<Script, { readonly kind: SubjectKind }>({
  table: 'metric_scripts',
  key: 'integer',
  id: (script) => script.id,
  columns: { subject: { of: (script, { kind }) => keyOf(kind, script.resource), index: 'lookup' } },
});

/** Adds a script; where it overlaps others it goes before them. */
export function addScript(account: Account, kind: SubjectKind, description: Omit<Script, 'id'>): Script {
  const script = { id: account.nextId('metric-script.id'), ...description };
  scripts.insert(account, script, { kind });
  return script;
}

/** The scripts of a resource, oldest first. */
export function scriptsOf(account: Account, kind: SubjectKind, id: string): readonly Script[] {
  return scripts
    .where(account, 'subject', keyOf(kind, id))
    .map(({ wire }) => wire)
    .toReversed();
}

export function forgetScripts(account: Account, kind: SubjectKind, id: string): void {
  for (const script of scriptsOf(account, kind, id)) {
    scripts.remove(account, script.id);
  }
}

/** A series with what was scripted of it, oldest script first. */
export function withScripts(series: Series, those: readonly Script[]): Series {
  return those.reduce((below, script) => replaced(below, piecesOf(script, below)), series);
}

function piecesOf({ from: begin, to: end, constant, ramp, spike, list }: Script, below: Series): readonly Piece[] {
  const from = secondOf(begin);
  const to = end === null ? Number.POSITIVE_INFINITY : secondOf(end);
  if (ramp !== undefined) {
    return [{ from, to, series: line(from, to, ...ramp) }];
  }
  if (spike !== undefined) {
    const middle = (from + to) / 2;
    return [
      { from, to: middle, series: line(from, middle, below.at(from), spike) },
      { from: middle, to, series: line(middle, to, spike, below.at(to)) },
    ];
  }
  const values = list ?? [constant ?? 0];
  const share = (to - from) / values.length;
  return values.map((value, index) => ({
    from: index === 0 ? from : from + index * share,
    to: index === values.length - 1 ? to : from + (index + 1) * share,
    series: level(value),
  }));
}

function keyOf(kind: SubjectKind, id: string): string {
  return `${kind}:${id}`;
}
