import type { Family } from '../family.ts';
import { balancerMetricRoutes } from './balancer-metrics.ts';
import { databaseMetricRoutes } from './database-metrics.ts';
import { dropletMetricRoutes } from './droplet-metrics.ts';
import { forgetScripts, scripts } from './scripts.ts';

/** What is measured of droplets, load balancers and databases. Source: operations monitoring_get_*. */
export const metricFamily: Family = {
  tables: scripts.tables,
  routes: [...dropletMetricRoutes, ...balancerMetricRoutes, ...databaseMetricRoutes],
  on: {
    'droplet.deleted': (account, id) => forgetScripts(account, 'droplet', id),
    'load-balancer.deleted': (account, id) => forgetScripts(account, 'load balancer', id),
    'database.deleted': (account, id) => forgetScripts(account, 'database', id),
  },
};
