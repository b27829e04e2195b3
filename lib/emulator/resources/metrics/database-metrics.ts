import { notFound } from '../../errors.ts';
import type { Account } from '../../store/account.ts';
import { type PlatformRequest, type Route, route } from '../family.ts';
import { gaugesOf } from './gauges.ts';
import { matrixReply } from './matrix.ts';
import { findDatabase } from './subjects.ts';
import { parseWindow, required, requiredChoice } from './window.ts';

type Aggregate = keyof typeof AGGREGATES;

/** What a point says of the step that it ends. */
const AGGREGATES = {
  avg: (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0) / values.length,
  max: (values: readonly number[]): number => Math.max(...values),
  min: (values: readonly number[]): number => Math.min(...values),
} as const;

const ENGINES = ['mysql', 'advanced_mysql'];
const LOADS = { load1: 'load_1', load5: 'load_5', load15: 'load_15' } as const;

/** A MySQL cluster's metrics. Errors: 404 for what is no such cluster. Source: operations monitoring_get_database_mysql_*. */
export const databaseMetricRoutes: readonly Route[] = [
  usage('cpu_usage', 'cpu'),
  usage('memory_usage', 'memory_utilization_percent'),
  usage('disk_usage', 'disk_utilization_percent'),
  route('GET /v2/monitoring/metrics/database/mysql/load', {}, (request, account) => {
    const load = requiredChoice(request.query, 'metric', ['load1', 'load5', 'load15']);
    return reply(request, account, LOADS[load], requiredChoice(request.query, 'aggregate', ['avg', 'max']));
  }),
];

function usage(name: string, measure: string): Route {
  return route(`GET /v2/monitoring/metrics/database/mysql/${name}`, {}, (request, account) =>
    reply(request, account, measure, requiredChoice(request.query, 'aggregate', ['avg', 'max', 'min'])),
  );
}

function reply({ query }: PlatformRequest, account: Account, measure: string, aggregate: Aggregate): object {
  const id = required(query, 'db_id');
  const window = parseWindow(query, account);
  const cluster = findDatabase(account, id);
  if (cluster === undefined || !ENGINES.includes(cluster.engine)) {
    throw notFound();
  }
  const gauge = gaugesOf(account, cluster)(measure);
  const at = (second: number): number | undefined => {
    const values = PARTS.flatMap((part) => gauge?.at(second - part * window.stepSeconds) ?? []);
    return values.length === 0 ? undefined : AGGREGATES[aggregate](values);
  };
  return matrixReply(window, [{ labels: { db_id: cluster.id }, at }]);
}

/** How far before a point, in steps, it looks. */
const PARTS = [0, 0.2, 0.4, 0.6, 0.8];
