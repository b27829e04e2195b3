import { z } from 'zod';
import { paging, uuid } from '../../catalogue/fields.ts';
import { path } from '../../catalogue/path.ts';
import { tool } from '../../catalogue/tool.ts';
import { listPeerings, listVpcs, showPeering } from './recovery.ts';

const peeringId = () => uuid();
const unknownPeering = [{ when: /^404/, next: () => [listPeerings] }];

export const vpcPeeringTools = [
  tool({
    name: 'vpc-peering-create',
    title: 'Peer two VPCs',
    description:
      'Joins two VPCs, so that their members reach each other. Their ranges must not overlap. It is PROVISIONING at first, then ACTIVE.',
    input: () =>
      z.object({
        Name: z.string().describe('Letters, digits and hyphens'),
        Vpc1: z.string(),
        Vpc2: z.string(),
      }),
    check: ({ Vpc1, Vpc2 }) =>
      Vpc1 !== undefined && Vpc1 === Vpc2
        ? [{ field: 'Vpc2', got: JSON.stringify(Vpc2), expected: 'the id of another VPC than Vpc1' }]
        : [],
    route: 'POST /v2/vpc_peerings',
    body: ({ Name, Vpc1, Vpc2 }) => ({ name: Name, vpc_ids: [Vpc1, Vpc2] }),
    returns: 'vpc_peering',
    verify: () => listPeerings,
    recover: [{ when: /vpc/i, next: () => [listVpcs, listPeerings] }],
    follow: {
      path: (_, peering) => path`/v2/vpc_peerings/${String(peering.id)}`,
      returns: 'vpc_peering',
      pending: ['provisioning'],
      next: (_, peering) => showPeering({ ID: String(peering.id) }),
    },
  }),
  tool({
    name: 'vpc-peering-delete',
    title: 'Delete a VPC peering',
    description: 'Parts two VPCs again; the VPCs stay. It is DELETING at first.',
    input: () => z.object({ ID: peeringId() }),
    route: 'DELETE /v2/vpc_peerings/{ID}',
    returns: 'vpc_peering',
    verify: showPeering,
    recover: unknownPeering,
  }),
  tool({
    name: 'vpc-peering-get',
    title: 'Get a VPC peering',
    description: 'One peering: its two VPCs and its status (PROVISIONING, ACTIVE, DELETING).',
    input: () => z.object({ ID: peeringId() }),
    route: 'GET /v2/vpc_peerings/{ID}',
    returns: 'vpc_peering',
    recover: unknownPeering,
  }),
  tool({
    name: 'vpc-peering-list',
    title: 'List VPC peerings',
    description: 'All VPC peerings.',
    input: () => z.object(paging(20)),
    route: 'GET /v2/vpc_peerings',
    returns: 'vpc_peerings',
    summary: ['id', 'name', 'vpc_ids', 'status'],
  }),
];
