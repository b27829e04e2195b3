import { isRecord } from '../../catalogue/is-record.ts';
import type { PlatformRecord } from '../../catalogue/platform-calls.ts';

/** Something that depends on a resource and that its own record does not tell of: the list it is found in. */
export interface Dependents {
  /** As a person calls one of them. */
  readonly noun: string;
  /** The list, given the resource's path. */
  readonly list: (path: string) => string;
  /** Which of the list's items depend on the resource; absent: all of them. */
  readonly where?: (item: PlatformRecord, resource: PlatformRecord) => boolean;
}

const longest = 'per_page=200';

/** By kind of resource. */
export const dependents: Readonly<Record<string, readonly Dependents[]>> = {
  '/v2/domains/{}': [{ noun: 'record', list: (path) => `${path}/records?${longest}` }],
  '/v2/vpcs/{}': [{ noun: 'member', list: (path) => `${path}/members?${longest}` }],
  '/v2/uptime/checks/{}': [{ noun: 'alert', list: (path) => `${path}/alerts?${longest}` }],
  '/v2/certificates/{}': [
    {
      noun: 'load balancer',
      list: () => `/v2/load_balancers?${longest}`,
      where: ({ forwarding_rules: rules }, { id }) => listed(rules).some((rule) => isRecord(rule) && rule.certificate_id === id),
    },
  ],
  '/v2/droplets/{}': [
    { noun: 'load balancer', list: () => `/v2/load_balancers?${longest}`, where: namesInstance },
    { noun: 'firewall', list: () => `/v2/firewalls?${longest}`, where: namesInstance },
    {
      noun: 'reserved IP',
      list: () => `/v2/reserved_ips?${longest}`,
      where: ({ droplet }, { id }) => isRecord(droplet) && droplet.id === id,
    },
  ],
};

function namesInstance({ droplet_ids: ids }: PlatformRecord, { id }: PlatformRecord): boolean {
  return listed(ids).includes(id);
}

function listed(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}
