import type { NextCall } from '../../errors.ts';

export const listDomains: NextCall = { tool: 'domain-list', arguments: {} };
export const listCertificates: NextCall = { tool: 'certificate-list', arguments: {} };

/** The domain as it stands. */
export function showDomain(input: { readonly Name: string }): NextCall {
  return { tool: 'domain-get', arguments: { Name: input.Name } };
}

/** The records of a domain. */
export function listRecords(input: { readonly Domain: string }): NextCall {
  return { tool: 'domain-record-list', arguments: { Domain: input.Domain } };
}

/** One record of a domain as it stands. */
export function showRecord(input: { readonly Domain: string; readonly RecordID: number }): NextCall {
  return { tool: 'domain-record-get', arguments: { Domain: input.Domain, RecordID: input.RecordID } };
}

/** The certificate as it stands. */
export function showCertificate(input: { readonly ID: string }): NextCall {
  return { tool: 'certificate-get', arguments: { ID: input.ID } };
}

export const unknownDomain = [{ when: /^404/, next: () => [listDomains] }];
export const unknownCertificate = [{ when: /^404/, next: () => [listCertificates] }];

/** Of domain and record, either may be the one that is not there. */
export const unknownRecord = { when: /^404/, next: (input: { readonly Domain: string }) => [listRecords(input), listDomains] };
