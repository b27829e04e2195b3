import { z } from 'zod';
import { addressOrCidrProblems } from '../../catalogue/checks/cidr.ts';
import { nearest } from '../../catalogue/nearest.ts';
import type { PlatformRecord } from '../../catalogue/platform-calls.ts';
import { shown } from '../../catalogue/reading/words.ts';
import { tool } from '../../catalogue/tool.ts';
import type { Problem } from '../../errors.ts';
import { clusterId } from './fields.ts';
import { clusterRecovery } from './recovery.ts';

interface Rule {
  readonly uuid?: string;
  readonly cluster_uuid?: string;
  readonly type: string;
  readonly value: string;
}

const ruleTypes = ['ip_addr', 'instance', 'tag', 'app', 'k8s'];

/** The platform calls an instance otherwise, and takes an empty id for a wrong one. */
function ruleBody({ uuid, cluster_uuid, type, value }: Rule) {
  return { ...(uuid && { uuid }), ...(cluster_uuid && { cluster_uuid }), type: type === 'instance' ? 'droplet' : type, value };
}

function showRule(rule: PlatformRecord): PlatformRecord {
  return rule.type === 'droplet' ? { ...rule, type: 'instance' } : rule;
}

function ruleProblems(rules: readonly Rule[] = []): readonly Problem[] {
  return rules.flatMap(({ type, value }, index) => {
    if (type === 'ip_addr') return addressOrCidrProblems(`rules[${index}].value`, value, { version: 4 });
    if (type === 'droplet' || ruleTypes.includes(type)) return [];
    const near = nearest(type, ruleTypes);
    return [
      { field: `rules[${index}].type`, got: shown(type), expected: `one of ${ruleTypes.join(', ')}`, ...(near && { nearest: near }) },
    ];
  });
}

export const databaseFirewallTools = [
  tool({
    name: 'db-cluster-get-firewall-rules',
    title: 'Get who may connect to a cluster',
    description: 'The trusted sources of a cluster. Without any, everybody may connect who has a password.',
    input: () => z.object({ id: clusterId() }),
    route: 'GET /v2/databases/{id}/firewall',
    returns: 'rules',
    show: showRule,
    recover: clusterRecovery,
  }),
  tool({
    name: 'db-cluster-update-firewall-rules',
    title: 'Set who may connect to a cluster',
    description:
      'Replaces ALL trusted sources of a cluster: send those of db-cluster-get-firewall-rules along to keep them. An empty list opens the cluster to everybody.',
    input: () =>
      z.object({
        id: clusterId(),
        rules: z.array(
          z.strictObject({
            uuid: z.string().optional(),
            cluster_uuid: z.string().optional(),
            type: z.string().describe('ip_addr, instance, tag or app (or k8s)'),
            value: z.string().describe('IPv4 address or CIDR block, instance id, tag name or app id'),
          }),
        ),
      }),
    texts: { 'rules.value': 'id' },
    check: ({ rules }) => ruleProblems(rules),
    route: 'PUT /v2/databases/{id}/firewall',
    body: ({ rules }) => ({ rules: rules.map(ruleBody) }),
    hints: { destructive: true },
    verify: ({ id }) => ({ tool: 'db-cluster-get-firewall-rules', arguments: { id } }),
    recover: clusterRecovery,
  }),
];
