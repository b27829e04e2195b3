import { balancerNodeConnections } from '../../assumptions.ts';
import type { Account } from '../../store/account.ts';
import { type PlatformRequest, type Route, route } from '../family.ts';
import { type Gauges, gaugesOf } from './gauges.ts';
import { type Labelled, matrixReply } from './matrix.ts';
import { responseClasses, responsesMeasure } from './measures.ts';
import { type BalancerSubject, findBalancer } from './subjects.ts';
import { parseWindow, required } from './window.ts';

/** A load balancer's metrics. The document knows no 404 here: of an unknown one there are no series. Source: operations monitoring_get_lb_frontend_*. */
export const balancerMetricRoutes: readonly Route[] = [
  metric('frontend_cpu_utilization', (gauges, { id }) => [
    { labels: { lb_id: id }, at: (second) => gauges('avg_cpu_utilization_percent')?.at(second) },
  ]),
  metric('frontend_connections_current', (gauges, { id, nodes }) => {
    const utilization = gauges('connection_utilization_percent');
    const at = (second: number): number | undefined => {
      const percent = utilization?.at(second);
      return percent === undefined ? undefined : Math.round((percent / 100) * nodes * balancerNodeConnections);
    };
    return [{ labels: { lb_id: id }, at }];
  }),
  metric('frontend_http_responses', (gauges, { id }) =>
    responseClasses.map((code) => {
      const rate = gauges(responsesMeasure(code));
      return { labels: { code, lb_id: id }, at: (second) => rate?.at(second) };
    }),
  ),
];

function metric(name: string, series: (gauges: Gauges, balancer: BalancerSubject) => readonly Labelled[]): Route {
  return route(`GET /v2/monitoring/metrics/load_balancer/${name}`, {}, ({ query }: PlatformRequest, account: Account) => {
    const id = required(query, 'lb_id');
    const window = parseWindow(query, account);
    const balancer = findBalancer(account, id);
    return matrixReply(window, balancer === undefined ? [] : series(gaugesOf(account, balancer), balancer));
  });
}
