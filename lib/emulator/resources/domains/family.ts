import { dnsMessages } from '../../assumptions.ts';
import { notFound, unprocessable } from '../../errors.ts';
import { integerId, onlyFields } from '../../fields.ts';
import { listReply } from '../../paging.ts';
import type { Account } from '../../store/account.ts';
import type { Source } from '../../store/collection.ts';
import { type Family, type PlatformRequest, route } from '../family.ts';
import {
  addRecords,
  changeSoa,
  createDomain,
  type DomainEntry,
  domains,
  knownDomain,
  removeDomain,
  removeRecord,
  replaceRecord,
} from './domains.ts';
import { domainRecords, IN_ZONE, parseRecord, parseSoa, type RecordEntry, recordFields, refuseSharedName } from './records.ts';

const FIRST_ID = 100_000_000;

/** Domains and their records. Source: operations domains_*. */
export const domainFamily: Family = {
  tables: [...domains.tables, ...domainRecords.tables],
  routes: [
    route('GET /v2/domains', {}, (request, account) => listReply(request, 'domains', domains.source(account))),
    route('POST /v2/domains', { status: 201 }, ({ body }, account) => createDomain(account, body)),
    route('GET /v2/domains/{domain}', {}, ({ params }, account) => {
      const { wire } = knownDomain(account, params.domain);
      return `{"domain":${domains.text(account, wire.name)}}`;
    }),
    route('DELETE /v2/domains/{domain}', { status: 204 }, ({ params }, account) => {
      removeDomain(account, knownDomain(account, params.domain));
      return undefined;
    }),
    route('GET /v2/domains/{domain}/records', {}, (request, account) =>
      listReply(request, 'domain_records', filtered(account, knownDomain(account, request.params.domain), request.query)),
    ),
    route('POST /v2/domains/{domain}/records', { status: 201 }, ({ params, body }, account) => {
      const { wire: domain } = knownDomain(account, params.domain);
      onlyFields(body, recordFields);
      const draft = parseRecord(domain.name, domain.ttl, body);
      refuseSharedName(account, draft);
      return { domain_record: addRecords(account, [draft])[0] };
    }),
    route('GET /v2/domains/{domain}/records/{record}', {}, (request, account) => ({ domain_record: knownRecord(request, account).wire })),
    route('PUT /v2/domains/{domain}/records/{record}', {}, changeRecord),
    route('DELETE /v2/domains/{domain}/records/{record}', { status: 204 }, (request, account) => {
      const record = knownRecord(request, account);
      if (record.wire.type === 'SOA') {
        throw unprocessable(dnsMessages.soaFixed);
      }
      removeRecord(account, record);
      return undefined;
    }),
  ],
  born: (account) => account.count('domain-record.id', FIRST_ID),
};

function changeRecord(request: PlatformRequest, account: Account): object {
  const before = knownRecord(request, account);
  onlyFields(request.body, recordFields);
  if (before.wire.type === 'SOA') {
    return { domain_record: changeSoa(account, before, parseSoa(before, request.body)) };
  }
  const draft = parseRecord(before.hidden.zone, before.wire.ttl, request.body, before);
  refuseSharedName(account, draft, before.wire.id);
  return { domain_record: replaceRecord(account, before, draft) };
}

function knownRecord({ params }: PlatformRequest, account: Account): RecordEntry {
  const { wire: domain } = knownDomain(account, params.domain);
  const record = domainRecords.get(account, integerId(params.record) ?? 0);
  if (record?.hidden.zone !== domain.name) {
    throw notFound();
  }
  return record;
}

/** The records of a domain in the order of their ids: the SOA and NS records it began with come first. `name` is a full name. */
function filtered(account: Account, { wire: { name: zone }, hidden: { totals } }: DomainEntry, query: URLSearchParams): Source {
  const type = query.get('type')?.toUpperCase();
  const host = query.get('name')?.replace(/\.$/, '');
  const byId = 'SELECT id FROM domain_records WHERE';
  if (host !== undefined) {
    const which = `host = ? AND ${IN_ZONE}${type === undefined ? '' : ' AND type = ?'}`;
    const values = type === undefined ? [host, zone] : [host, zone, type];
    const found = account.sql(`SELECT COUNT(*) AS n FROM domain_records WHERE ${which}`).get(...values);
    return domainRecords.sourceOf(account, Number(found?.n), `${byId} ${which} ORDER BY id`, ...values);
  }
  if (type !== undefined) {
    return domainRecords.sourceOf(account, totals[type] ?? 0, `${byId} zone_type = ? ORDER BY id`, `${zone} ${type}`);
  }
  const total = Object.values(totals).reduce((sum, count) => sum + count, 0);
  if (Number.isNaN(Number(zone))) {
    return domainRecords.sourceOf(account, total, `${byId} zone = ? ORDER BY id`, zone);
  }
  return domainRecords.sourceOf(account, total, `${byId} zone = ? AND ${IN_ZONE} ORDER BY id`, zone, zone);
}
