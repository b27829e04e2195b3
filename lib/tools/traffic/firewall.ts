import { z } from 'zod';
import { atLeastOne } from '../../catalogue/checks/given.ts';
import { commaSeparated } from '../../catalogue/comma-separated.ts';
import { id, paging, uuid } from '../../catalogue/fields.ts';
import { path } from '../../catalogue/path.ts';
import { tool } from '../../catalogue/tool.ts';
import {
  addressesProblems,
  inboundRules,
  outboundRules,
  portProblems,
  portRange,
  protocol,
  rulesBody,
  rulesProblems,
} from './firewall-rules.ts';
import { firewallRecovery, listFirewalls, memberRecovery, showFirewall } from './recovery.ts';

const firewallId = () => uuid();
const instanceIds = () => z.array(id());
const tags = () => z.array(z.string());
const addresses = () => z.string().describe('Addresses or CIDR blocks, separated by commas; 0.0.0.0/0,::/0 is everywhere');

/** What every change of one firewall shares. */
const ofFirewall = { verify: showFirewall, recover: firewallRecovery } as const;

/** What is wrong with addresses that are written in one text. */
function listedProblems(field: string, text: string | undefined) {
  if (text === undefined) return [];
  const parts = commaSeparated(text);
  if (parts.length === 0) return [{ field, got: JSON.stringify(text), expected: 'an address or a CIDR block' }];
  return addressesProblems(field, parts).map((problem) => ({ ...problem, field }));
}

export const firewallTools = [
  tool({
    name: 'firewall-create',
    title: 'Create a firewall',
    description:
      'Creates a firewall with one rule each way, on instances and on tags. What no rule lets through is blocked; add the others with firewall-add-rules. It is waiting until the rules hold everywhere.',
    input: () =>
      z.object({
        Name: z.string().describe('Letters, digits, dots and hyphens'),
        InboundProtocol: protocol(),
        InboundPortRange: portRange(),
        InboundSource: addresses(),
        OutboundProtocol: protocol(),
        OutboundPortRange: portRange(),
        OutboundDestination: addresses(),
        InstanceIDs: instanceIds().optional(),
        Tags: tags().optional(),
      }),
    check: ({ InboundProtocol, InboundPortRange, InboundSource, OutboundProtocol, OutboundPortRange, OutboundDestination }) => [
      ...portProblems('InboundPortRange', { Protocol: InboundProtocol, PortRange: InboundPortRange }),
      ...listedProblems('InboundSource', InboundSource),
      ...portProblems('OutboundPortRange', { Protocol: OutboundProtocol, PortRange: OutboundPortRange }),
      ...listedProblems('OutboundDestination', OutboundDestination),
    ],
    route: 'POST /v2/firewalls',
    body: (input) => ({
      name: input.Name,
      ...rulesBody({
        InboundRules: [
          { Protocol: input.InboundProtocol, PortRange: input.InboundPortRange, Sources: commaSeparated(input.InboundSource) },
        ],
        OutboundRules: [
          { Protocol: input.OutboundProtocol, PortRange: input.OutboundPortRange, Destinations: commaSeparated(input.OutboundDestination) },
        ],
      }),
      droplet_ids: input.InstanceIDs ?? [],
      tags: input.Tags ?? [],
    }),
    returns: 'firewall',
    verify: () => listFirewalls,
    recover: [{ when: /duplicate name|^409/i, next: () => [listFirewalls] }, ...memberRecovery],
    follow: {
      path: (_, firewall) => path`/v2/firewalls/${String(firewall.id)}`,
      returns: 'firewall',
      pending: ['waiting'],
      next: (_, firewall) => showFirewall({ ID: String(firewall.id) }),
    },
  }),
  tool({
    name: 'firewall-delete',
    title: 'Delete a firewall',
    description: 'Deletes a firewall; what it blocked can reach its instances again.',
    input: () => z.object({ ID: firewallId() }),
    route: 'DELETE /v2/firewalls/{ID}',
    ...ofFirewall,
  }),
  tool({
    name: 'firewall-get',
    title: 'Get a firewall',
    description: 'One firewall: rules, instances, tags, status, and the changes that are still on their way to instances.',
    input: () => z.object({ ID: firewallId() }),
    route: 'GET /v2/firewalls/{ID}',
    returns: 'firewall',
    recover: firewallRecovery,
  }),
  tool({
    name: 'firewall-list',
    title: 'List firewalls',
    description: 'All firewalls with status, instances and tags. Their rules are in firewall-get.',
    input: () => z.object(paging(20)),
    route: 'GET /v2/firewalls',
    returns: 'firewalls',
    summary: ['id', 'name', 'status', 'droplet_ids', 'tags'],
  }),
  tool({
    name: 'firewall-add-tags',
    title: 'Put a firewall on tags',
    description: 'Puts a firewall on all instances that carry one of the tags, now or later. The tags must exist.',
    input: () => z.object({ ID: firewallId(), Tags: tags() }),
    route: 'POST /v2/firewalls/{ID}/tags',
    body: ({ Tags }) => ({ tags: Tags }),
    ...ofFirewall,
    hints: { idempotent: true },
  }),
  tool({
    name: 'firewall-remove-tags',
    title: 'Take a firewall off tags',
    description: 'Takes a firewall off the instances that it covers by one of the tags.',
    input: () => z.object({ ID: firewallId(), Tags: tags() }),
    route: 'DELETE /v2/firewalls/{ID}/tags',
    body: ({ Tags }) => ({ tags: Tags }),
    ...ofFirewall,
  }),
  tool({
    name: 'firewall-add-instances',
    title: 'Put a firewall on instances',
    description: 'Puts a firewall on instances.',
    input: () => z.object({ ID: firewallId(), InstanceIDs: instanceIds() }),
    route: 'POST /v2/firewalls/{ID}/droplets',
    body: ({ InstanceIDs }) => ({ droplet_ids: InstanceIDs }),
    ...ofFirewall,
    hints: { idempotent: true },
  }),
  tool({
    name: 'firewall-remove-instances',
    title: 'Take a firewall off instances',
    description: 'Takes a firewall off instances. Those it covers by a tag stay covered.',
    input: () => z.object({ ID: firewallId(), InstanceIDs: instanceIds() }),
    route: 'DELETE /v2/firewalls/{ID}/droplets',
    body: ({ InstanceIDs }) => ({ droplet_ids: InstanceIDs }),
    ...ofFirewall,
  }),
  tool({
    name: 'firewall-add-rules',
    title: 'Add rules to a firewall',
    description: 'Adds rules to a firewall: at least one of InboundRules and OutboundRules.',
    input: () => z.object({ ID: firewallId(), InboundRules: inboundRules().optional(), OutboundRules: outboundRules().optional() }),
    check: (input) => [...atLeastOne(input, 'InboundRules', 'OutboundRules'), ...rulesProblems(input)],
    route: 'POST /v2/firewalls/{ID}/rules',
    body: rulesBody,
    ...ofFirewall,
    hints: { idempotent: true },
  }),
  tool({
    name: 'firewall-remove-rules',
    title: 'Remove rules from a firewall',
    description: 'Removes rules from a firewall: at least one of InboundRules and OutboundRules, each just as firewall-get has it.',
    input: () => z.object({ ID: firewallId(), InboundRules: inboundRules().optional(), OutboundRules: outboundRules().optional() }),
    // A rule is removed just as it was written, also by somebody else.
    check: (input) => [...atLeastOne(input, 'InboundRules', 'OutboundRules'), ...rulesProblems(input, { hostBits: true })],
    route: 'DELETE /v2/firewalls/{ID}/rules',
    body: rulesBody,
    ...ofFirewall,
  }),
];
