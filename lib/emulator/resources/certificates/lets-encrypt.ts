import { randomBytes } from 'node:crypto';
import { dnsMessages, letsEncryptDays, letsEncryptRenewalDays } from '../../assumptions.ts';
import { DAY_MS, timestamp } from '../../calendar.ts';
import { unprocessable } from '../../errors.ts';
import type { Account } from '../../store/account.ts';
import { durationMs } from '../actions.ts';
import { domainOf } from '../domains/domains.ts';
import { isDomainName } from '../domains/host-names.ts';
import { type Certificate, certificates } from './certificates.ts';

/** The names of a certificate to be issued, lower-case, each once. Errors: 422 for none, a malformed one, and one in no domain of the account. */
export function parseDnsNames(account: Account, given: readonly string[]): readonly string[] {
  const names = [...new Set(given.map((name) => name.toLowerCase()))];
  if (names.length === 0 || names.some((name) => !isDomainName(withoutWildcard(name)))) {
    throw unprocessable(dnsMessages.dnsNamesInvalid);
  }
  if (!allManaged(account, names)) {
    throw unprocessable(dnsMessages.dnsNamesUnmanaged);
  }
  return names;
}

/** Has the certificate authority decide on a pending certificate after its time. */
export function orderIssue(account: Account, id: string): void {
  account.schedule(account.nowMs + durationMs(account, 'lets_encrypt'), 'certificate.issue', id);
}

/** Issues a pending certificate, or renews one before its end; it fails when one of its names is in no domain of the account any more. */
export function issue(account: Account, id: string): void {
  const certificate = certificates.get(account, id)?.wire;
  if (certificate === undefined) {
    return;
  }
  const failed = account.faults.spoilsAction('lets_encrypt', 0) || !allManaged(account, certificate.dns_names);
  if (failed) {
    // One that is issued already stays good to its end.
    certificates.update(account, { ...certificate, state: certificate.state === 'pending' ? 'error' : certificate.state }, null);
    return;
  }
  certificates.update(account, issued(account, certificate), null);
  account.schedule(account.nowMs + (letsEncryptDays - letsEncryptRenewalDays) * DAY_MS, 'certificate.issue', id);
}

function issued(account: Account, { id, name, created_at, dns_names, type }: Certificate): Certificate {
  const not_after = timestamp(account.nowMs + letsEncryptDays * DAY_MS);
  return { id, name, not_after, sha1_fingerprint: randomBytes(20).toString('hex'), created_at, dns_names, state: 'verified', type };
}

function allManaged(account: Account, names: readonly string[]): boolean {
  return names.every((name) => domainOf(account, withoutWildcard(name)) !== undefined);
}

function withoutWildcard(name: string): string {
  return name.replace(/^\*\./, '');
}
