import { MINUTE_MS, timestamp } from '../calendar.ts';
import { createPolicy } from '../resources/alert-policies/policies.ts';
import { droplets } from '../resources/droplets/droplets.ts';
import { createAlert } from '../resources/uptime/alerts.ts';
import { checks, createCheck } from '../resources/uptime/checks.ts';
import type { Account } from '../store/account.ts';

const EVERYBODY = {
  email: ['captain@example.com'],
  slack: [{ channel: '#harbour-alerts', url: 'https://hooks.slack.com/services/T00000000/B00000000/XXXXXXXXXXXXXXXXXXXXXXXX' }],
} as const;

/** What the told past watches: the web's first instance, the load of all of it, and a shop that has moved away since. */
export const insightEvents: readonly (readonly [daysAgo: number, event: (account: Account) => void])[] = [
  [118, watchOldShop],
  [117, watchWeb],
  [
    90,
    (account) => {
      createPolicy(account, {
        type: 'v1/insights/droplet/cpu',
        description: 'CPU of the web above 80 % for ten minutes',
        compare: 'GreaterThan',
        value: 80,
        window: '10m',
        entities: [],
        tags: ['web'],
        alerts: EVERYBODY,
        enabled: true,
      });
    },
  ],
];

const OUTAGE_MS = 4 * MINUTE_MS;

/** A check that was up, but for four minutes, when it was disabled. */
function watchOldShop(account: Account): void {
  const check = createCheck(account, {
    name: 'Old shop',
    type: 'https',
    target: 'https://shop.example.com',
    regions: ['us_east', 'eu_west'],
    enabled: true,
  });
  const up = { status: 'UP', status_changed_at: timestamp(account.nowMs), thirty_day_uptime_percentage: 99.99 } as const;
  const outage = {
    region: 'us_east',
    started_at: timestamp(account.nowMs - OUTAGE_MS),
    ended_at: timestamp(account.nowMs),
    duration_seconds: OUTAGE_MS / 1000,
  };
  const state = { regions: { us_east: up, eu_west: up }, previous_outage: outage };
  checks.update(account, { ...check, enabled: false }, { state });
}

function watchWeb(account: Account): void {
  const [web] = droplets.where(account, 'name', 'web-01');
  const address = web?.wire.networks.v4.find((network) => network.type === 'public')?.ip_address;
  if (address === undefined) {
    return;
  }
  const { id } = createCheck(account, { name: 'web-01', type: 'ping', target: address, regions: ['us_east', 'eu_west'], enabled: true });
  createAlert(account, id, { name: 'web-01 is down', type: 'down', notifications: EVERYBODY, period: '2m' });
  const slow = { type: 'latency', threshold: 300, comparison: 'greater_than', period: '5m' };
  createAlert(account, id, { name: 'web-01 is slow', ...slow, notifications: EVERYBODY });
}
