import { z } from 'zod';
import { cidrProblems } from '../../catalogue/checks/cidr.ts';
import { paging, regionSlug, uuid } from '../../catalogue/fields.ts';
import { isRecord } from '../../catalogue/is-record.ts';
import { path } from '../../catalogue/path.ts';
import { maxPerPage } from '../../catalogue/per-page.ts';
import { tool } from '../../catalogue/tool.ts';
import { ToolError } from '../../errors.ts';
import { listMembers, listPeerings, listVpcs, showVpc } from './recovery.ts';

const vpcId = () => uuid();
const unknownVpc = { when: /^404/, next: () => [listVpcs] };

export const vpcTools = [
  tool({
    name: 'vpc-create',
    title: 'Create a VPC',
    description: 'Creates a private network in a region. Without Subnet it gets a free range.',
    input: () =>
      z.object({
        Name: z.string().describe('Letters, digits, dots and hyphens'),
        Region: regionSlug(),
        Subnet: z.string().optional().describe('Private CIDR block from /16 to /28, such as 10.10.10.0/24'),
        Description: z.string().optional(),
      }),
    check: ({ Subnet }) => cidrProblems('Subnet', Subnet, { version: 4, fromBits: 16, toBits: 28 }),
    route: 'POST /v2/vpcs',
    body: ({ Name, Region, Subnet, Description }) => ({ name: Name, region: Region, ip_range: Subnet, description: Description }),
    returns: 'vpc',
    verify: () => listVpcs,
    recover: [{ when: /overlap|range|name/i, next: () => [listVpcs] }],
  }),
  tool({
    name: 'vpc-list-members',
    title: 'List the members of a VPC',
    description: 'Everything in a VPC: instances, databases and load balancers, as URNs such as do:droplet:123.',
    input: () => z.object({ ID: vpcId() }),
    calls: ['GET /v2/vpcs/{ID}/members'],
    // The specification knows no pages here, the platform does.
    async run({ ID }, platform) {
      const members: unknown[] = [];
      for (let page = 1; ; page++) {
        const query = { page, per_page: maxPerPage };
        const reply = await platform.request({ method: 'GET', path: path`/v2/vpcs/${ID}/members`, query });
        const onPage = isRecord(reply) ? reply.members : undefined;
        if (!Array.isArray(onPage)) throw new ToolError('platform_error', `${platform.tool}: page ${page} of the reply has no members`);
        members.push(...onPage);
        const last = isRecord(reply) && isRecord(reply.meta) ? members.length >= Number(reply.meta.total) : onPage.length < maxPerPage;
        if (last || onPage.length === 0) return { members };
      }
    },
    hints: { readOnly: true, destructive: false, idempotent: true },
    returns: 'members',
    summary: ['urn', 'name', 'created_at'],
    recover: [unknownVpc],
  }),
  tool({
    name: 'vpc-delete',
    title: 'Delete a VPC',
    description: 'Deletes a VPC. Neither the default VPC of a region nor one with members can be deleted.',
    input: () => z.object({ ID: vpcId() }),
    route: 'DELETE /v2/vpcs/{ID}',
    verify: showVpc,
    recover: [
      unknownVpc,
      { when: /member/i, next: (input) => [listMembers(input)] },
      { when: /peer/i, next: () => [listPeerings] },
      { when: /default/i, next: (input) => [showVpc(input)] },
    ],
  }),
  tool({
    name: 'vpc-get',
    title: 'Get a VPC',
    description: 'One VPC: name, region, range, and whether it is the default of its region.',
    input: () => z.object({ ID: vpcId() }),
    route: 'GET /v2/vpcs/{ID}',
    returns: 'vpc',
    recover: [unknownVpc],
  }),
  tool({
    name: 'vpc-list',
    title: 'List VPCs',
    description: 'All VPCs.',
    input: () => z.object(paging(20)),
    route: 'GET /v2/vpcs',
    returns: 'vpcs',
    summary: ['id', 'name', 'region', 'ip_range', 'default'],
  }),
];
