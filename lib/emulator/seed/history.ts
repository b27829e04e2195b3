import { createHash } from 'node:crypto';
import { DAY_MS, HOUR_MS } from '../calendar.ts';
import { retiredImage } from '../catalogue/images.ts';
import { findKernel } from '../catalogue/kernels.ts';
import { findSize } from '../catalogue/sizes.ts';
import type { JsonObject } from '../fields.ts';
import { createDroplet, createDroplets } from '../resources/droplets/create.ts';
import { droplets } from '../resources/droplets/droplets.ts';
import { startAction } from '../resources/droplets/run-actions.ts';
import { importImage } from '../resources/images/import.ts';
import { addKey } from '../resources/keys.ts';
import type { Account } from '../store/account.ts';
import { databaseEvents } from './databases.ts';
import { insightEvents } from './insights.ts';
import { networkEvents } from './network.ts';
import { webEvents } from './web.ts';

/** How far back the told past begins. */
export const HISTORY_MS = 140 * DAY_MS;

/**
 * Tells the past of a small company by doing it, moment by moment, as its people would have: invoices, backups and
 * finished actions come of themselves.
 */
export function tellHistory(account: Account, nowMs: number): void {
  const events = [...EVENTS, ...databaseEvents, ...networkEvents, ...insightEvents, ...webEvents];
  for (const [daysAgo, event] of events.sort(([one], [other]) => other - one)) {
    account.replay(nowMs - daysAgo * DAY_MS, () => event(account));
  }
}

type Event = (account: Account) => void;

const EVENTS: readonly (readonly [daysAgo: number, event: Event])[] = [
  [139.9, makeOldInstance],
  [139.8, (account) => addKey(account, 'Laptop', keyText('laptop'))],
  [139.7, (account) => addKey(account, 'Deploy', keyText('deploy'))],
  [
    122,
    create({
      names: ['web-01', 'web-02'],
      size: 's-1vcpu-2gb',
      region: 'nyc3',
      image: 'ubuntu-24-04-x64',
      monitoring: true,
      tags: ['web', 'production'],
    }),
  ],
  [96, create({ name: 'staging-01', size: 's-1vcpu-1gb', region: 'fra1', image: 'debian-12-x64', tags: ['staging'] })],
  [61, importCustom],
  [33, create({ name: 'worker-01', size: 's-2vcpu-2gb', region: 'nyc3', image: 'ubuntu-22-04-x64', tags: ['worker', 'production'] })],
  [20, act('web-01', { type: 'snapshot', name: 'web-01-before-upgrade' })],
  [
    9,
    create({
      name: 'db-01',
      size: 's-2vcpu-4gb',
      region: 'nyc3',
      image: 'ubuntu-24-04-x64',
      ipv6: true,
      monitoring: true,
      backups: true,
      tags: ['db', 'production'],
    }),
  ],
  [8.9, act('worker-01', { type: 'reboot' })],
  [3, act('staging-01', { type: 'power_off' })],
];

/** An instance of 2016: its kernel is the platform's and can be changed, it has no private interface. */
function makeOldInstance(account: Account): void {
  const size = findSize('512mb');
  if (size === undefined) {
    throw new Error('the catalogue lacks the size 512mb: name another one here');
  }
  const order = {
    region: 'nyc3',
    size,
    image: retiredImage,
    vpc: undefined,
    tags: ['legacy'],
    features: [],
    publicV4: true,
    ipv6: false,
    backupPolicy: null,
  };
  const { id } = createDroplet(account, 'legacy-app', order);
  account.replay(account.nowMs + HOUR_MS, () => {
    const made = droplets.get(account, id);
    if (made !== undefined) {
      const kernel = findKernel(OLD_KERNEL) ?? null;
      droplets.update(account, { ...made.wire, created_at: '2016-03-14T09:26:53Z', kernel }, made.hidden);
    }
  });
}

const OLD_KERNEL = 2924;

function create(body: JsonObject): Event {
  return (account) => {
    createDroplets(account, body);
  };
}

function act(name: string, body: JsonObject): Event {
  return (account) => {
    for (const droplet of droplets.where(account, 'name', name)) {
      startAction(account, droplet, body);
    }
  };
}

function importCustom(account: Account): void {
  importImage(account, {
    name: 'harbour-base-1.4',
    url: 'https://images.example.com/harbour-base-1.4.qcow2.gz',
    region: 'nyc3',
    distribution: 'Debian',
    description: 'Our own base image, hardened',
    tags: ['base-image'],
  });
}

/** A public key of the right form that nobody has the private half of. */
function keyText(owner: string): string {
  const type = Buffer.from('ssh-ed25519');
  const length = (bytes: Buffer): Buffer => Buffer.from([0, 0, 0, bytes.length]);
  const point = createHash('sha256').update(owner).digest();
  const blob = Buffer.concat([length(type), type, length(point), point]);
  return `ssh-ed25519 ${blob.toString('base64')} captain@${owner}`;
}
