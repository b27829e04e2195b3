import { messages, trafficMessages } from '../../assumptions.ts';
import { findRegion } from '../../catalogue/regions.ts';
import { unprocessable } from '../../errors.ts';
import { choice, type JsonObject, optionalText } from '../../fields.ts';
import type { Account } from '../../store/account.ts';
import { defaultVpc, vpcs } from '../vpcs.ts';
import type { BalancerEntry } from './load-balancers.ts';
import { regionOf, type Site } from './order.ts';

const TYPES = ['REGIONAL', 'REGIONAL_NETWORK', 'GLOBAL'] as const;
const NETWORKS = ['EXTERNAL', 'INTERNAL'] as const;
const STACKS = ['IPV4', 'DUALSTACK'] as const;

/** Reads where a new load balancer is to be. Errors: 422. */
export function parseSite(account: Account, body: JsonObject): Site {
  const type = choice(body, 'type', TYPES, 'REGIONAL');
  const network = choice(body, 'network', NETWORKS, 'EXTERNAL');
  const network_stack = choice(body, 'network_stack', STACKS, 'IPV4');
  const region = regionOf(body);
  const vpc = optionalText(body, 'vpc_uuid') ?? '';
  if (network === 'INTERNAL' && network_stack === 'DUALSTACK') {
    throw unprocessable(trafficMessages.internalDualstack);
  }
  if (type === 'GLOBAL') {
    if (region !== '' || vpc !== '' || network === 'INTERNAL') {
      throw unprocessable(trafficMessages.globalPlace);
    }
    return { type, network, network_stack, region: '' };
  }
  if (findRegion(region)?.available !== true) {
    throw unprocessable(messages.regionUnavailable);
  }
  const chosen = vpc === '' ? defaultVpc(account, region) : vpcs.get(account, vpc.toLowerCase())?.wire;
  if (chosen?.region !== region) {
    throw unprocessable(messages.vpcUnknown);
  }
  return { type, network, network_stack, region, vpc_uuid: chosen.id };
}

/** Where a load balancer stays. Errors: 422 when a request names another place: that can not be changed. */
export function keptSite({ wire, hidden }: BalancerEntry, body: JsonObject): Site {
  const { type, network, network_stack, vpc_uuid } = wire;
  const same =
    choice(body, 'type', TYPES, type) === type &&
    choice(body, 'network', NETWORKS, network) === network &&
    choice(body, 'network_stack', STACKS, network_stack) === network_stack &&
    (regionOf(body) || hidden.region) === hidden.region &&
    ((optionalText(body, 'vpc_uuid') ?? '').toLowerCase() || vpc_uuid) === vpc_uuid;
  if (!same) {
    throw unprocessable(trafficMessages.placeFixed);
  }
  return siteOf({ wire, hidden });
}

/** Where a load balancer is. */
export function siteOf({ wire: { type, network, network_stack, vpc_uuid }, hidden: { region } }: BalancerEntry): Site {
  return { type, network, network_stack, region, ...(vpc_uuid === undefined ? {} : { vpc_uuid }) };
}
