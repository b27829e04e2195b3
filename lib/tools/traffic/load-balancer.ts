import { z } from 'zod';
import { needed, notBoth } from '../../catalogue/checks/given.ts';
import { id, paging, regionSlug, uuid } from '../../catalogue/fields.ts';
import { path } from '../../catalogue/path.ts';
import { tool } from '../../catalogue/tool.ts';
import type { Problem } from '../../errors.ts';
import { forwardingBody, forwardingRules } from './forwarding-rules.ts';
import { type GlbSettings, glbProblems, glbSettings } from './glb-settings.ts';
import { changedLoadBalancer, newLoadBalancer } from './load-balancer-body.ts';
import { listLoadBalancers, loadBalancerRecovery, memberRecovery, showLoadBalancer } from './recovery.ts';

const loadBalancerId = () => uuid();
const instanceIds = () => z.array(id());
const types = () => z.enum(['REGIONAL', 'REGIONAL_NETWORK', 'GLOBAL']);
const networks = () => z.enum(['EXTERNAL', 'INTERNAL']);

/** The arguments of create and update that stand before Type. */
const placing = () => ({
  Name: z.string(),
  Region: regionSlug().optional(),
  InstanceIDs: z.array(z.string()).optional().describe('Ids of instances; not with Tag'),
  Tag: z.string().optional().describe('Tag of instances; not with InstanceIDs'),
  ForwardingRules: forwardingRules().optional(),
});

/** The arguments of create and update that stand behind Network. */
const sizing = () => ({
  SizeUnit: z.int().min(1).max(100).optional(),
  NetworkStack: z.enum(['IPV4', 'DUALSTACK']).optional(),
  ProjectID: z.string().optional(),
  TargetLoadBalancerIDs: z.array(z.string()).optional().describe('For GLOBAL'),
  GLBSettings: glbSettings().optional(),
});

/** What create and update share in reading their arguments. */
const reading = { snakeCaseIn: ['ForwardingRules', 'GLBSettings'], texts: { InstanceIDs: 'integer' } } as const;

/** What every change of one load balancer shares. */
const ofLoadBalancer = { verify: showLoadBalancer, recover: loadBalancerRecovery } as const;

interface Members {
  readonly InstanceIDs?: readonly string[];
  readonly Tag?: string;
  readonly GLBSettings?: GlbSettings;
}

function memberProblems(input: Members): readonly Problem[] {
  return [...notBoth(input, 'InstanceIDs', 'Tag'), ...glbProblems(input.GLBSettings)];
}

export const loadBalancerTools = [
  tool({
    name: 'load-balancer-create',
    title: 'Create a load balancer',
    description:
      'Creates a load balancer over instances of a region (REGIONAL for http and tcp, REGIONAL_NETWORK for tcp and udp), or a GLOBAL one over others. The regional types need Region and ForwardingRules, GLOBAL needs GLBSettings. It is new at first, and active with an address within minutes.',
    input: () =>
      z.object({
        ...placing(),
        Type: types().default('REGIONAL'),
        Network: networks().default('EXTERNAL'),
        ...sizing(),
      }),
    ...reading,
    check: (input) => [
      ...(input.Type === 'GLOBAL' ? needed(input, 'for Type GLOBAL', 'GLBSettings') : []),
      ...(input.Type === undefined || input.Type === 'GLOBAL' ? [] : needed(input, `for Type ${input.Type}`, 'Region', 'ForwardingRules')),
      ...memberProblems(input),
    ],
    route: 'POST /v2/load_balancers',
    body: newLoadBalancer,
    returns: 'load_balancer',
    verify: () => listLoadBalancers,
    recover: memberRecovery,
    follow: {
      path: (_, balancer) => path`/v2/load_balancers/${String(balancer.id)}`,
      returns: 'load_balancer',
      pending: ['new'],
      next: (_, balancer) => showLoadBalancer({ LoadBalancerID: String(balancer.id) }),
    },
  }),
  tool({
    name: 'load-balancer-update',
    title: 'Change a load balancer',
    description:
      'Changes a load balancer. What is left out keeps its value, also settings that no argument names; ForwardingRules replaces all rules; giving Tag drops the instance ids, and the reverse. Refused while an earlier change is under way.',
    input: () =>
      z.object({
        LoadBalancerID: loadBalancerId(),
        ...placing(),
        Type: types().optional(),
        Network: networks().optional(),
        ...sizing(),
      }),
    ...reading,
    check: memberProblems,
    calls: ['GET /v2/load_balancers/{LoadBalancerID}', 'PUT /v2/load_balancers/{LoadBalancerID}'],
    async run({ LoadBalancerID, ...input }, platform) {
      const place = path`/v2/load_balancers/${LoadBalancerID}`;
      const current = await platform.record(place, 'load_balancer');
      return platform.request({ method: 'PUT', path: place, body: changedLoadBalancer(input, current) });
    },
    hints: { readOnly: false, destructive: true, idempotent: true },
    returns: 'load_balancer',
    ...ofLoadBalancer,
  }),
  tool({
    name: 'load-balancer-delete',
    title: 'Delete a load balancer',
    description: 'Deletes a load balancer and its address; its instances stay.',
    input: () => z.object({ LoadBalancerID: loadBalancerId() }),
    route: 'DELETE /v2/load_balancers/{LoadBalancerID}',
    ...ofLoadBalancer,
  }),
  tool({
    name: 'load-balancer-delete-cache',
    title: 'Empty the cache of a load balancer',
    description: 'Empties the CDN cache of a GLOBAL load balancer, so that everything is fetched anew.',
    input: () => z.object({ LoadBalancerID: loadBalancerId() }),
    route: 'DELETE /v2/load_balancers/{LoadBalancerID}/cache',
    ...ofLoadBalancer,
    recover: [{ when: /^422/, next: (input) => [showLoadBalancer(input)] }, ...loadBalancerRecovery],
    // No read shows what a cache holds.
    verify: ({ LoadBalancerID }) => ({ tool: 'load-balancer-delete-cache', arguments: { LoadBalancerID } }),
  }),
  tool({
    name: 'load-balancer-get',
    title: 'Get a load balancer',
    description: 'One load balancer whole: status (new, active, errored), address, rules, health check, instances or tag.',
    input: () => z.object({ LoadBalancerID: loadBalancerId() }),
    route: 'GET /v2/load_balancers/{LoadBalancerID}',
    returns: 'load_balancer',
    recover: loadBalancerRecovery,
  }),
  tool({
    name: 'load-balancer-list',
    title: 'List load balancers',
    description: 'All load balancers with status, address, region and instances.',
    input: () => z.object(paging(20)),
    route: 'GET /v2/load_balancers',
    returns: 'load_balancers',
    summary: ['id', 'name', 'status', 'ip', 'type', 'region.slug', 'tag', 'droplet_ids'],
  }),
  tool({
    name: 'load-balancer-add-instances',
    title: 'Add instances to a load balancer',
    description: 'Sends traffic to further instances. Not for a load balancer that has its instances by a tag.',
    input: () => z.object({ LoadBalancerID: loadBalancerId(), InstanceIDs: instanceIds() }),
    route: 'POST /v2/load_balancers/{LoadBalancerID}/droplets',
    body: ({ InstanceIDs }) => ({ droplet_ids: InstanceIDs }),
    ...ofLoadBalancer,
    hints: { idempotent: true },
  }),
  tool({
    name: 'load-balancer-remove-instances',
    title: 'Take instances off a load balancer',
    description: 'Sends no more traffic to instances. Not for a load balancer that has its instances by a tag.',
    input: () => z.object({ LoadBalancerID: loadBalancerId(), InstanceIDs: instanceIds() }),
    route: 'DELETE /v2/load_balancers/{LoadBalancerID}/droplets',
    body: ({ InstanceIDs }) => ({ droplet_ids: InstanceIDs }),
    ...ofLoadBalancer,
  }),
  tool({
    name: 'load-balancer-add-forwarding-rules',
    title: 'Add rules to a load balancer',
    description: 'Has a load balancer listen on further ports.',
    input: () => z.object({ LoadBalancerID: loadBalancerId(), ForwardingRules: forwardingRules() }),
    snakeCaseIn: ['ForwardingRules'],
    route: 'POST /v2/load_balancers/{LoadBalancerID}/forwarding_rules',
    body: ({ ForwardingRules }) => ({ forwarding_rules: forwardingBody(ForwardingRules) }),
    ...ofLoadBalancer,
    hints: { idempotent: true },
  }),
  tool({
    name: 'load-balancer-remove-forwarding-rules',
    title: 'Remove rules from a load balancer',
    description: 'Has a load balancer no longer listen on some ports. One rule has to stay.',
    input: () => z.object({ LoadBalancerID: loadBalancerId(), ForwardingRules: forwardingRules() }),
    snakeCaseIn: ['ForwardingRules'],
    route: 'DELETE /v2/load_balancers/{LoadBalancerID}/forwarding_rules',
    body: ({ ForwardingRules }) => ({ forwarding_rules: forwardingBody(ForwardingRules) }),
    ...ofLoadBalancer,
  }),
];
