import { certificates } from '../resources/certificates/certificates.ts';
import { createCertificate } from '../resources/certificates/family.ts';
import { addRecords, createDomain, domains } from '../resources/domains/domains.ts';
import { parseRecord } from '../resources/domains/records.ts';
import { createFirewall } from '../resources/firewalls/family.ts';
import { createBalancer } from '../resources/load-balancers/lifecycle.ts';
import { loadBalancers } from '../resources/load-balancers/load-balancers.ts';
import type { Account } from '../store/account.ts';

const ZONE = 'harbour-crew.example';
const EVERYWHERE = { addresses: ['0.0.0.0/0', '::/0'] };
const OFFICE = { addresses: ['203.0.113.0/24'] };

/** The company's site: its domain, a certificate that is issued and renewed, a load balancer before the web servers, and what may reach them. */
export const webEvents: readonly (readonly [daysAgo: number, event: (account: Account) => void])[] = [
  [121.9, registerDomain],
  [121.8, orderCertificate],
  [121.7, balanceWeb],
  [121.6, protectWeb],
  [8.5, protectDatabase],
];

function registerDomain(account: Account): void {
  createDomain(account, { name: ZONE });
  const ttl = domains.get(account, ZONE)?.wire.ttl ?? 0;
  const records = [
    { type: 'MX', name: '@', data: 'mx.example.net.', priority: 10 },
    { type: 'TXT', name: '@', data: 'v=spf1 include:example.net -all' },
    { type: 'CNAME', name: 'status', data: 'status.example.net.' },
  ];
  addRecords(
    account,
    records.map((record) => parseRecord(ZONE, ttl, record)),
  );
}

function orderCertificate(account: Account): void {
  createCertificate(account, { name: ZONE, type: 'lets_encrypt', dns_names: [ZONE, `www.${ZONE}`] });
}

function balanceWeb(account: Account): void {
  const target = { target_protocol: 'http', target_port: 80 };
  const [certificate] = certificates.where(account, 'name', ZONE);
  createBalancer(account, {
    name: 'web-lb',
    region: 'nyc3',
    tag: 'web',
    redirect_http_to_https: true,
    health_check: { path: '/health' },
    forwarding_rules: [
      { entry_protocol: 'http', entry_port: 80, ...target },
      { entry_protocol: 'https', entry_port: 443, ...target, certificate_id: certificate?.wire.id },
    ],
  });
}

function protectWeb(account: Account): void {
  const [balancer] = loadBalancers.where(account, 'name', 'web-lb');
  createFirewall(account, {
    name: 'web',
    tags: ['web'],
    inbound_rules: [
      { protocol: 'tcp', ports: '80', sources: { load_balancer_uids: [balancer?.wire.id] } },
      { protocol: 'tcp', ports: '22', sources: OFFICE },
    ],
    outbound_rules: outbound(),
  });
}

function protectDatabase(account: Account): void {
  createFirewall(account, {
    name: 'db',
    tags: ['db'],
    inbound_rules: [
      { protocol: 'tcp', ports: '5432', sources: { tags: ['web', 'worker'] } },
      { protocol: 'tcp', ports: '22', sources: OFFICE },
    ],
    outbound_rules: outbound(),
  });
}

function outbound(): readonly object[] {
  return ['tcp', 'udp', 'icmp'].map((protocol) => ({ protocol, ports: '0', destinations: EVERYWHERE }));
}
