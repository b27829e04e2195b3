import { SECOND_MS } from '../../calendar.ts';
import type { Account } from '../../store/account.ts';
import { type Measure, measures, type Sources } from './measures.ts';
import { runAt } from './runs.ts';
import { scriptsOf, withScripts } from './scripts.ts';
import { type Series, sampled } from './series/series.ts';
import { wave } from './series/wave.ts';
import type { Subject, SubjectKind } from './subjects.ts';

/** What there is to read of one measure of a resource. */
export interface Gauge {
  /** Its value at a moment, in seconds since 1970; undefined before the resource was there, and while it is off. */
  readonly at: (second: number) => number | undefined;
  /** The same as if the resource had always been running: what its counters and means are made of. */
  readonly series: Series;
}

/** The gauges of a resource as it stands now, by the names of its measures; undefined for one that it does not have. */
export type Gauges = (measure: string) => Gauge | undefined;

/** The key of the setting that all believable series follow from; another value gives others. */
export const SEED_SETTING = 'metrics.seed';

/**
 * The gauges of a resource: the only source of what is measured. A value follows from the account's seed, the resource, the measure and the
 * moment, and from what was scripted.
 */
export function gaugesOf(account: Account, subject: Subject): Gauges {
  const { kind, id, runs, bornAt } = subject;
  const scripted = scriptsOf(account, kind, id);
  const seed = account.setting(SEED_SETTING) ?? '0';
  const known = new Map<string, Series>();

  const seriesOf = (name: string): Series => {
    const measured = known.get(name);
    if (measured !== undefined) {
      return measured;
    }
    const sources: Sources = { wave: (room) => wave(`${seed}/${kind}/${id}/${name}`, room), of: seriesOf };
    const natural = measureOf(subject, name)?.series(sources) ?? NOTHING;
    const own = scripted.filter(({ metric }) => metric === name);
    const series = withScripts(natural, own);
    known.set(name, series);
    return series;
  };

  return (name) => {
    const measure = measureOf(subject, name);
    if (measure === undefined) {
      return undefined;
    }
    const series = seriesOf(name);
    return {
      series,
      at: (second) => {
        if (runAt(runs, second) !== undefined) {
          return series.at(second);
        }
        return second < bornAt ? undefined : measure.atRest;
      },
    };
  };
}

const NOTHING = sampled(() => 0);

/** The moment that an account works at, in seconds since 1970. */
export function nowSecond({ nowMs }: Account): number {
  return nowMs / SECOND_MS;
}

/** What can be measured of a resource. */
export function measuresOf(subject: Subject): readonly string[] {
  return Object.keys(measures[subject.kind]).filter((name) => measureOf(subject, name) !== undefined);
}

/** Whether a measure is a share of a hundred. */
export function isPercent(kind: SubjectKind, name: string): boolean {
  return Object.entries(measures[kind]).some(([each, { unit }]) => each === name && unit === 'percent');
}

/** A measure of a subject, which it is bound to. */
interface Bound {
  readonly atRest: 0 | undefined;
  readonly series: (sources: Sources) => Series;
}

function measureOf(subject: Subject, name: string): Bound | undefined {
  switch (subject.kind) {
    case 'droplet':
      return bind(measures.droplet, name, subject);
    case 'load balancer':
      return bind(measures['load balancer'], name, subject);
    case 'database':
      return bind(measures.database, name, subject);
  }
}

function bind<Measured>(table: Readonly<Record<string, Measure<Measured>>>, name: string, subject: Measured): Bound | undefined {
  const measure = Object.hasOwn(table, name) ? table[name] : undefined;
  if (measure === undefined || measure.has?.(subject) === false) {
    return undefined;
  }
  return { atRest: measure.atRest, series: (sources) => measure.series(sources, subject) };
}
