import { droplets } from '../resources/droplets/droplets.ts';
import { reserveIpv4, reserveIpv6 } from '../resources/reserved-ips/reserve.ts';
import { createPeering } from '../resources/vpc-peerings/peerings.ts';
import { createVpc, defaultVpc } from '../resources/vpcs.ts';
import type { Account } from '../store/account.ts';

/** The addresses and private networks of the told past: the web has one that stays, staging sees production. */
export const networkEvents: readonly (readonly [daysAgo: number, event: (account: Account) => void])[] = [
  [121, reserveForWeb],
  [
    95,
    (account) => {
      createPeering(account, 'production-staging', [defaultVpc(account, 'nyc3').id, defaultVpc(account, 'fra1').id]);
    },
  ],
  [
    62,
    (account) => {
      const description = 'Builds and their caches, apart from production';
      createVpc(account, { name: 'build', region: 'nyc3', description, range: '10.40.0.0/20', makeDefault: false });
    },
  ],
  [
    40,
    (account) => {
      reserveIpv6(account, { region_slug: 'nyc3' });
    },
  ],
];

function reserveForWeb(account: Account): void {
  const [web] = droplets.where(account, 'name', 'web-01');
  if (web !== undefined) {
    reserveIpv4(account, { droplet_id: web.wire.id });
  }
}
