import type { Toolset } from '../../catalogue/tool.ts';
import { firewallTools } from './firewall.ts';
import { loadBalancerTools } from './load-balancer.ts';

/** What lets traffic through and spreads it: firewalls and load balancers. */
export const traffic: Toolset = {
  name: 'traffic',
  title: 'Firewalls and load balancers',
  tools: [...firewallTools, ...loadBalancerTools],
};
