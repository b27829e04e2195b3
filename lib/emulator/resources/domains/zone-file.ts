import { fullName } from './host-names.ts';
import { recordTypes } from './record-types.ts';
import type { DomainRecord } from './records.ts';

export const nameServers = ['ns1.digitalocean.com', 'ns2.digitalocean.com', 'ns3.digitalocean.com'] as const;

export interface ZoneLine {
  readonly wire: DomainRecord;
  readonly target: string | null;
}

/** The zone as a file, of its records in the order of their ids. Source: the example of operation domains_get. */
export function zoneFile(zone: string, ttl: number, serial: number, records: readonly ZoneLine[]): string {
  const soa = `${zone}. IN SOA ${nameServers[0]}. hostmaster.${zone}. ${serial} 10800 3600 604800 ${ttl}`;
  const lines = records.flatMap(({ wire, target }) => {
    const type = recordTypes.get(wire.type);
    const text = type?.zoneText({ data: wire.data, target }, wire);
    return text === undefined ? [] : [`${fullName(zone, wire.name)}. ${wire.ttl} IN ${wire.type} ${text}`];
  });
  return [`$ORIGIN ${zone}.`, `$TTL ${ttl}`, soa, ...lines, ''].join('\n');
}
