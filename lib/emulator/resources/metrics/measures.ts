import { httpErrorWindows, loadPerBusyCpu } from '../../assumptions.ts';
import { runAt } from './runs.ts';
import { meanOf, type Series, sampled, scaled } from './series/series.ts';
import type { Room } from './series/wave.ts';
import type { BalancerSubject, DatabaseSubject, DropletSubject, SubjectKind } from './subjects.ts';

/** What the series of a measure is made of. */
export interface Sources {
  /** What nobody has scripted: a wave of the subject and the measure. */
  readonly wave: (room: Room) => Series;
  /** Another measure of the same subject, with what was scripted of it. */
  readonly of: (measure: string) => Series;
}

/** Something that has a value at each moment at which its subject runs. */
export interface Measure<Measured> {
  readonly unit: 'percent' | 'load' | 'MB/s' | 'Mbps' | 'droplets' | 'responses/s' | 'responses' | 'seconds';
  /** What it is while the subject does not run; by default it has no value then. */
  readonly atRest?: 0;
  /** Whether this subject has it; by default each does. */
  readonly has?: (subject: Measured) => boolean;
  readonly series: (sources: Sources, subject: Measured) => Series;
}

type Measures<Measured> = Readonly<Record<string, Measure<Measured>>>;

const [LOAD_1, LOAD_5, LOAD_15] = [60, 300, 900];

const percent = (low: number, high: number, liveliness = 1) =>
  ({ unit: 'percent', series: ({ wave }) => wave({ low, high, liveliness }) }) satisfies Measure<unknown>;

/** A load average: the processors that were busy in the last seconds, of those since the start. */
const load = (seconds: number) =>
  ({
    unit: 'load',
    series: ({ of }, { runs, vcpus }) => {
      const cpu = of('cpu');
      return sampled((at) => {
        const since = Math.max(at - seconds, runAt(runs, at)?.from ?? at);
        return (loadPerBusyCpu * vcpus * cpu.area(since, at)) / (100 * seconds);
      });
    },
  }) satisfies Measure<DropletSubject | DatabaseSubject>;

/** The platform sees traffic from outside: there is none while a droplet is off. */
const bandwidth = (network: string, low: number, high: number) =>
  ({
    unit: 'Mbps',
    atRest: 0,
    has: ({ interfaces }) => interfaces.includes(network),
    series: ({ wave }) => wave({ low, high }),
  }) satisfies Measure<DropletSubject>;

const dropletMeasures: Measures<DropletSubject> = {
  cpu: percent(3, 62),
  memory_utilization_percent: percent(35, 75, 0.5),
  disk_utilization_percent: percent(20, 45, 0.05),
  load_1: load(LOAD_1),
  load_5: load(LOAD_5),
  load_15: load(LOAD_15),
  disk_read: { unit: 'MB/s', series: ({ wave }) => wave({ low: 0, high: 6 }) },
  disk_write: { unit: 'MB/s', series: ({ wave }) => wave({ low: 0.2, high: 12 }) },
  public_outbound_bandwidth: bandwidth('public', 0.5, 40),
  public_inbound_bandwidth: bandwidth('public', 0.2, 15),
  private_outbound_bandwidth: bandwidth('private', 0.05, 8),
  private_inbound_bandwidth: bandwidth('private', 0.05, 8),
};

/** Classes of HTTP responses, and between which rates each node gives them. */
const RESPONSE_ROOMS: Readonly<Record<string, Room>> = {
  '2xx': { low: 20, high: 90 },
  '3xx': { low: 1, high: 6 },
  '4xx': { low: 0.3, high: 2.5 },
  '5xx': { low: 0, high: 0.08 },
};

export const responseClasses: readonly string[] = Object.keys(RESPONSE_ROOMS);

export const responsesMeasure = (responses: string): string => `http_responses_${responses}`;

const speaksHttp = ({ http }: BalancerSubject): boolean => http;

/** How much larger the share of a class of responses, or their number, is in the last minutes than it was in the time before. */
const errorIncrease = (unit: 'percent' | 'responses', responses: string) =>
  ({
    unit,
    has: speaksHttp,
    series: ({ of }, { runs }) => {
      const all = responseClasses.map((each) => of(responsesMeasure(each)));
      const errors = of(responsesMeasure(responses));
      const within = (from: number, to: number): number => {
        const total = all.reduce((sum, each) => sum + meanOf(each, from, to), 0);
        const rate = meanOf(errors, from, to);
        return unit === 'responses' ? rate * httpErrorWindows.recentSeconds : (100 * rate) / Math.max(total, Number.MIN_VALUE);
      };
      return sampled((at) => {
        const first = runAt(runs, at)?.from ?? at;
        const since = Math.max(first, at - httpErrorWindows.recentSeconds);
        const before = Math.max(first, since - httpErrorWindows.beforeSeconds);
        return before < since ? Math.max(0, within(since, at) - within(before, since)) : 0;
      });
    },
  }) satisfies Measure<BalancerSubject>;

const responseTime = (low: number, high: number) =>
  ({ unit: 'seconds', has: speaksHttp, series: ({ wave }) => wave({ low, high }) }) satisfies Measure<BalancerSubject>;

const balancerMeasures: Measures<BalancerSubject> = {
  avg_cpu_utilization_percent: percent(3, 45),
  connection_utilization_percent: percent(1, 30),
  tls_connections_per_second_utilization_percent: { ...percent(1, 25), has: ({ tls }) => tls },
  droplet_health: {
    unit: 'droplets',
    series: (_sources, { members }) => {
      const all = members();
      return sampled((at) => all.filter((runs) => runAt(runs, at) !== undefined).length);
    },
  },
  ...Object.fromEntries(
    Object.entries(RESPONSE_ROOMS).map(([responses, room]): [string, Measure<BalancerSubject>] => [
      responsesMeasure(responses),
      { unit: 'responses/s', has: speaksHttp, series: ({ wave }, { nodes }) => scaled(wave(room), nodes) },
    ]),
  ),
  increase_in_http_error_rate_percentage_5xx: errorIncrease('percent', '5xx'),
  increase_in_http_error_rate_percentage_4xx: errorIncrease('percent', '4xx'),
  increase_in_http_error_rate_count_5xx: errorIncrease('responses', '5xx'),
  increase_in_http_error_rate_count_4xx: errorIncrease('responses', '4xx'),
  high_http_request_response_time: responseTime(0.12, 0.18),
  high_http_request_response_time_50p: responseTime(0.04, 0.11),
  high_http_request_response_time_95p: responseTime(0.2, 0.45),
  high_http_request_response_time_99p: responseTime(0.5, 1.2),
};

const databaseMeasures: Measures<DatabaseSubject> = {
  cpu: percent(4, 55),
  memory_utilization_percent: percent(40, 72, 0.5),
  disk_utilization_percent: percent(15, 40, 0.05),
  load_1: load(LOAD_1),
  load_5: load(LOAD_5),
  load_15: load(LOAD_15),
};

/** Everything that is measured, by the kind of what it is measured of. */
export const measures = {
  droplet: dropletMeasures,
  'load balancer': balancerMeasures,
  database: databaseMeasures,
} as const satisfies Readonly<Record<SubjectKind, unknown>>;
