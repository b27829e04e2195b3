import { DAY_MS, MINUTE_MS } from '../calendar.ts';
import { createPolicy } from '../resources/alert-policies/policies.ts';
import { droplets } from '../resources/droplets/droplets.ts';
import { createAlert } from '../resources/uptime/alerts.ts';
import { checks, createCheck, knownCheck, updateCheck } from '../resources/uptime/checks.ts';
import { addSpan } from '../resources/uptime/spans.ts';
import { putVantage, vantagesOf } from '../resources/uptime/vantages.ts';
import type { Account } from '../store/account.ts';

const EVERYBODY = {
  email: ['captain@example.com'],
  slack: [{ channel: '#harbour-alerts', url: 'https://chat.harbour.example/services/T00000000/B00000000/XXXXXXXXXXXXXXXXXXXXXXXX' }],
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
        description: 'CPU of the web above 80 % for an hour',
        compare: 'GreaterThan',
        value: 80,
        window: '1h',
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
  const [downMs, upMs] = [account.nowMs - OUTAGE_MS, account.nowMs];
  for (const vantage of vantagesOf(account, check.id)) {
    addSpan(account, check.id, vantage.region, { status: 'UP', fromMs: upMs - 30 * DAY_MS, toMs: downMs });
    addSpan(account, check.id, vantage.region, { status: 'DOWN', fromMs: downMs, toMs: upMs });
    putVantage(account, { ...vantage, status: 'UP' });
  }
  checks.update(account, check, { previousOutage: { region: 'us_east', fromMs: downMs, toMs: upMs } });
  updateCheck(account, knownCheck(account, check.id), { enabled: false });
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
