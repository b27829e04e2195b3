import { z } from 'zod';
import { addressProblems } from '../../catalogue/checks/address.ts';
import { paging } from '../../catalogue/fields.ts';
import { tool } from '../../catalogue/tool.ts';
import { showDomain, unknownDomain } from './recovery.ts';

const domainName = () => z.string();

export const domainTools = [
  tool({
    name: 'domain-create',
    title: 'Add a domain',
    description: 'Adds a domain, whose DNS the platform then serves, with NS records and an A (or AAAA) record for the domain itself.',
    input: () =>
      z.object({
        Name: domainName().describe('Such as example.com'),
        IPAddress: z.string().describe('Address the domain itself points to'),
      }),
    check: ({ IPAddress }) => addressProblems('IPAddress', IPAddress),
    route: 'POST /v2/domains',
    body: ({ Name, IPAddress }) => ({ name: Name, ip_address: IPAddress }),
    returns: 'domain',
    verify: showDomain,
    recover: [{ when: /exists/i, next: (input) => [showDomain(input)] }],
  }),
  tool({
    name: 'domain-delete',
    title: 'Delete a domain',
    description: 'Deletes a domain and all its records.',
    input: () => z.object({ Name: domainName() }),
    route: 'DELETE /v2/domains/{Name}',
    verify: showDomain,
    recover: unknownDomain,
  }),
  tool({
    name: 'domain-get',
    title: 'Get a domain',
    description: 'One domain with its TTL and its zone file.',
    input: () => z.object({ Name: domainName() }),
    route: 'GET /v2/domains/{Name}',
    returns: 'domain',
    recover: unknownDomain,
  }),
  tool({
    name: 'domain-list',
    title: 'List domains',
    description: 'All domains, without their zone files; domain-get has them.',
    input: () => z.object(paging(20)),
    route: 'GET /v2/domains',
    returns: 'domains',
    summary: ['name', 'ttl'],
  }),
];
