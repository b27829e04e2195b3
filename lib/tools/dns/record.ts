import { z } from 'zod';
import { id, paging } from '../../catalogue/fields.ts';
import { tool } from '../../catalogue/tool.ts';
import { recordBody, recordProblems } from './record-data.ts';
import { listRecords, showRecord, unknownDomain, unknownRecord } from './recovery.ts';

const domain = () => z.string();
const recordId = () => id();

const recordFields = () => ({
  Type: z.string().describe('A, AAAA, CAA, CNAME, MX, NS, SRV or TXT'),
  Name: z.string().describe('Such as www; @ for the domain itself'),
  Data: z.string().describe('As in a zone file; a host name ends with a dot'),
});

/** A host name without its dot: the same call with it. */
function withDot(tool: string) {
  return {
    when: /end with a dot/i,
    next: (input: { readonly Type: string; readonly Data: string }) =>
      /^(CNAME|MX|NS|SRV|CAA)$/i.test(input.Type) && !input.Data.includes(';')
        ? [{ tool, arguments: { ...input, Data: input.Data.replace(/"?\s*$/, '.$&') } }]
        : [],
  };
}

export const recordTools = [
  tool({
    name: 'domain-record-create',
    title: 'Add a DNS record',
    description:
      'Adds a record to a domain. Data is written as in a zone file: "10 mail.example.com." for MX, "10 5 5060 sip.example.com." for SRV, "0 issue ca.example.com." for CAA.',
    input: () => z.object({ Domain: domain(), ...recordFields() }),
    check: recordProblems,
    route: 'POST /v2/domains/{Domain}/records',
    body: recordBody,
    returns: 'domain_record',
    verify: listRecords,
    recover: [...unknownDomain, withDot('domain-record-create'), { when: /CNAME/, next: (input) => [listRecords(input)] }],
  }),
  tool({
    name: 'domain-record-delete',
    title: 'Delete a DNS record',
    description: 'Deletes a record of a domain.',
    input: () => z.object({ Domain: domain(), RecordID: recordId() }),
    route: 'DELETE /v2/domains/{Domain}/records/{RecordID}',
    verify: showRecord,
    recover: [unknownRecord],
  }),
  tool({
    name: 'domain-record-edit',
    title: 'Edit a DNS record',
    description:
      'Changes name and data of a record, written as for domain-record-create. A record of another type is a new record: add that one and delete this.',
    input: () => z.object({ Domain: domain(), RecordID: recordId(), ...recordFields() }),
    check: recordProblems,
    route: 'PUT /v2/domains/{Domain}/records/{RecordID}',
    body: recordBody,
    returns: 'domain_record',
    verify: showRecord,
    recover: [unknownRecord, withDot('domain-record-edit')],
  }),
  tool({
    name: 'domain-record-get',
    title: 'Get a DNS record',
    description: 'One record of a domain: type, name, data, TTL and what its type has besides.',
    input: () => z.object({ Domain: domain(), RecordID: recordId() }),
    route: 'GET /v2/domains/{Domain}/records/{RecordID}',
    returns: 'domain_record',
    recover: [unknownRecord],
  }),
  tool({
    name: 'domain-record-list',
    title: 'List DNS records',
    description: 'The records of a domain.',
    input: () => z.object({ Domain: domain(), ...paging(20) }),
    route: 'GET /v2/domains/{Domain}/records',
    returns: 'domain_records',
    summary: ['id', 'type', 'name', 'data', 'priority', 'ttl'],
    recover: unknownDomain,
  }),
];
