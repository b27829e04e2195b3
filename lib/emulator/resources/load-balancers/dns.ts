import type { Account } from '../../store/account.ts';
import { certificates } from '../certificates/certificates.ts';
import { addRecords, domainOf, removeRecord } from '../domains/domains.ts';
import { nameInside } from '../domains/host-names.ts';
import { domainRecords, IN_ZONE, parseRecord } from '../domains/records.ts';
import { certificatesOf } from './forwarding-rules.ts';
import type { BalancerEntry, LoadBalancer } from './load-balancers.ts';

/**
 * Points the names of a load balancer at it, where nothing stands under them yet: those of its Let's Encrypt certificates and of
 * its managed domains. Gives the ids of the records it made. Source: the OpenAPI document, `disable_lets_encrypt_dns_records` and `is_managed`.
 */
export function pointNames(account: Account, balancer: LoadBalancer): readonly number[] {
  const addresses = [
    ...(balancer.ip === '' ? [] : [{ type: 'A', data: balancer.ip }]),
    ...(balancer.ipv6 === undefined ? [] : [{ type: 'AAAA', data: balancer.ipv6 }]),
  ];
  return namesOf(account, balancer).flatMap((name) => {
    const domain = domainOf(account, name)?.wire;
    if (domain === undefined || isTaken(account, name, domain.name)) {
      return [];
    }
    const drafts = addresses.map((address) =>
      parseRecord(domain.name, domain.ttl, { ...address, name: nameInside(domain.name, name), ttl: domain.ttl }),
    );
    return addRecords(account, drafts).map((record) => record.id);
  });
}

/** Removes the records that were made for a load balancer and still point at it. */
export function unpointNames(account: Account, { wire, hidden }: BalancerEntry): void {
  for (const id of hidden.recordIds) {
    const record = domainRecords.get(account, id);
    if (record !== undefined && (record.wire.data === wire.ip || record.wire.data === wire.ipv6)) {
      removeRecord(account, record);
    }
  }
}

function namesOf(
  account: Account,
  { network, forwarding_rules, disable_lets_encrypt_dns_records, domains = [] }: LoadBalancer,
): readonly string[] {
  const issued = certificatesOf(forwarding_rules).flatMap((id) => {
    const certificate = certificates.get(account, id)?.wire;
    return certificate?.type === 'lets_encrypt' ? certificate.dns_names.filter((name) => !name.startsWith('*')) : [];
  });
  const managed = domains.filter((domain) => domain.is_managed).map((domain) => domain.name);
  return network === 'INTERNAL' ? [] : [...new Set([...(disable_lets_encrypt_dns_records ? [] : issued), ...managed])];
}

function isTaken(account: Account, host: string, zone: string): boolean {
  const taken = `SELECT 1 FROM domain_records WHERE host = ? AND ${IN_ZONE} AND type IN ('A', 'AAAA', 'CNAME') LIMIT 1`;
  return account.sql(taken).get(host, zone) !== undefined;
}
