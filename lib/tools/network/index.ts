import type { Toolset } from '../../catalogue/tool.ts';
import { byoipPrefixTools } from './byoip-prefix.ts';
import { reservedIpTools } from './reserved-ip.ts';
import { vpcTools } from './vpc.ts';
import { vpcPeeringTools } from './vpc-peering.ts';

/** Private networks and addresses: reserved IPs, VPCs, peerings, prefixes of one's own. */
export const network: Toolset = {
  name: 'network',
  title: 'VPCs, peerings, reserved IPs and own prefixes',
  tools: [...reservedIpTools, ...vpcPeeringTools, ...byoipPrefixTools, ...vpcTools],
};
