import { randomUUID } from 'node:crypto';
import { createPolicy, policies } from '../../resources/alert-policies/policies.ts';
import { createAlert, uptimeAlerts } from '../../resources/uptime/alerts.ts';
import { createCheck } from '../../resources/uptime/checks.ts';
import type { Account } from '../../store/account.ts';
import { type BeginBulk, bulkName, likeSample } from './bulk.ts';

const RECIPIENTS = { email: ['captain@example.com'], slack: [] };

/** Checks that are switched off: nothing is probed by the thousand. */
export const bulkChecks: BeginBulk = (account) => ({
  paths: ['/v2/uptime/checks'],
  add: (serial) => {
    addCheck(account, serial);
  },
});

/** Alerts of one check. */
export const bulkUptimeAlerts: BeginBulk = (account) => {
  const check = addCheck(account, account.nextId('bulk'));
  const sample = createAlert(account, check, { name: 'sample', type: 'down', notifications: RECIPIENTS, period: '5m' });
  const vary = (serial: number) => ({ id: randomUUID(), name: bulkName(serial) });
  return { paths: [`/v2/uptime/checks/${check}/alerts`], add: likeSample(account, uptimeAlerts, sample.id, vary) };
};

/** Policies that are switched off. */
export const bulkPolicies: BeginBulk = (account) => {
  const sample = createPolicy(account, {
    type: 'v1/insights/droplet/cpu',
    description: 'sample',
    compare: 'GreaterThan',
    value: 90,
    window: '5m',
    entities: [],
    tags: [],
    alerts: RECIPIENTS,
    enabled: false,
  });
  const vary = (serial: number) => ({ uuid: randomUUID(), description: bulkName(serial) });
  return { paths: ['/v2/monitoring/alerts'], add: likeSample(account, policies, sample.uuid, vary) };
};

function addCheck(account: Account, serial: number): string {
  const check = { name: bulkName(serial), type: 'https', target: 'https://example.com', regions: ['us_east'], enabled: false };
  return createCheck(account, check).id;
}
