import type { Account } from '../../store/account.ts';
import { type PolicyType, policyTypes } from '../alert-policies/types.ts';
import { type Gauge, gaugesOf } from './gauges.ts';
import { findBalancer, findDatabase, findDroplet, type Subject } from './subjects.ts';

/**
 * What an alert policy of a type watches of one resource. Undefined where there is nothing to watch: the resource is of another kind or is
 * not there, or has no such measure. Sizes: percent from 0 to 100, load, Mbps, MB/s, seconds, or a number of what the type's name says.
 */
export function policyGauge(account: Account, type: string, entity: string): Gauge | undefined {
  const policyType = policyTypes.get(type);
  const subject = policyType && FINDERS[policyType.watches](account, entity);
  return subject && gaugesOf(account, subject)(policyMeasure(type));
}

/** The name that a measure has here, from the type of an alert policy on it. */
export function policyMeasure(type: string): string {
  const name = type.slice(type.lastIndexOf('/') + 1);
  return DATABASE_MEASURES[name] ?? name;
}

/** There are no autoscale pools here. */
const FINDERS: Readonly<Record<PolicyType['watches'], (account: Account, id: string) => Subject | undefined>> = {
  droplet: findDroplet,
  'load balancer': findBalancer,
  database: findDatabase,
  'autoscale pool': () => undefined,
};

const DATABASE_MEASURES: Readonly<Record<string, string>> = {
  cpu_alerts: 'cpu',
  memory_utilization_alerts: 'memory_utilization_percent',
  disk_utilization_alerts: 'disk_utilization_percent',
  load_15_alerts: 'load_15',
};
