import { randomUUID } from 'node:crypto';
import { DAY_MS, timestamp } from '../../calendar.ts';
import { certificates } from '../../resources/certificates/certificates.ts';
import { addRecords, createDomain } from '../../resources/domains/domains.ts';
import { parseRecord } from '../../resources/domains/records.ts';
import { noteCoverage } from '../../resources/firewalls/coverage.ts';
import { createFirewall } from '../../resources/firewalls/family.ts';
import { firewalls, insertFirewall } from '../../resources/firewalls/firewalls.ts';
import { createBalancer } from '../../resources/load-balancers/lifecycle.ts';
import { loadBalancers } from '../../resources/load-balancers/load-balancers.ts';
import { type BeginBulk, bulkName, HTTP_RULE, likeSample } from './bulk.ts';
import { addDroplet } from './compute.ts';

export const bulkDomains: BeginBulk = (account) => ({
  paths: ['/v2/domains'],
  add: (serial) => {
    createDomain(account, { name: `${bulkName(serial)}.example` });
  },
});

/** A records of one domain. */
export const bulkDomainRecords: BeginBulk = (account) => {
  const zone = `records-${account.nextId('bulk')}.example`;
  createDomain(account, { name: zone });
  const path = `/v2/domains/${zone}/records`;
  return {
    paths: [path, `${path}?type=A`],
    add: (serial) => {
      addRecords(account, [parseRecord(zone, 1800, { type: 'A', name: bulkName(serial), data: '192.0.2.1' })]);
    },
  };
};

export const bulkCertificates: BeginBulk = (account) => ({
  paths: ['/v2/certificates'],
  add: (serial) => {
    const name = bulkName(serial);
    const times = { not_after: timestamp(account.nowMs + 90 * DAY_MS), created_at: timestamp(account.nowMs) };
    const fingerprint = { sha1_fingerprint: serial.toString(16).padStart(40, '0') };
    const rest = { dns_names: [`${name}.example`], state: 'verified', type: 'custom' } as const;
    certificates.insert(account, { id: randomUUID(), name, ...times, ...fingerprint, ...rest }, null);
  },
});

export const bulkLoadBalancers: BeginBulk = (account) => {
  const sample = createBalancer(account, {
    name: `sample-${account.nextId('bulk')}`,
    region: 'nyc3',
    droplet_ids: [],
    forwarding_rules: [HTTP_RULE],
  });
  const vary = (serial: number) => ({ id: randomUUID(), name: bulkName(serial), status: 'active', ip: '198.51.100.1' }) as const;
  return { paths: ['/v2/load_balancers'], add: likeSample(account, loadBalancers, sample, vary) };
};

/** Firewalls of one droplet, all applied. */
export const bulkFirewalls: BeginBulk = (account) => {
  const droplet = addDroplet(account, undefined);
  const inbound = { protocol: 'tcp', ports: '22', sources: { addresses: ['0.0.0.0/0'] } };
  const sample = firewalls.get(account, createFirewall(account, { name: `sample-${account.nextId('bulk')}`, inbound_rules: [inbound] }));
  if (sample === undefined) {
    throw new Error('no firewall to make others like: it was to be stored just before');
  }
  return {
    paths: ['/v2/firewalls', `/v2/droplets/${droplet}/firewalls`],
    add: (serial) => {
      const firewall = { ...sample.wire, id: randomUUID(), name: bulkName(serial), droplet_ids: [droplet] };
      insertFirewall(account, firewall);
      noteCoverage(account, firewall.id, droplet);
    },
  };
};
