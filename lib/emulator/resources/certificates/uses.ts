import type { Account } from '../../store/account.ts';

/** What certificates are used by, whatever it is: a certificate in use can not be deleted. */
export const certificateUseTables: readonly string[] = [
  'CREATE TABLE certificate_uses (certificate TEXT NOT NULL, user TEXT NOT NULL, PRIMARY KEY (certificate, user)) WITHOUT ROWID',
];

/** Notes that `user`, a urn, uses these certificates from now on and no others of those it used `before`. */
export function useCertificates(account: Account, user: string, before: readonly string[], now: readonly string[]): void {
  for (const certificate of before.filter((each) => !now.includes(each))) {
    account.run('DELETE FROM certificate_uses WHERE certificate = ? AND user = ?', certificate, user);
  }
  for (const certificate of now) {
    account.run('INSERT OR IGNORE INTO certificate_uses (certificate, user) VALUES (?, ?)', certificate, user);
  }
}

export function certificateInUse(account: Account, certificate: string): boolean {
  return account.sql('SELECT 1 FROM certificate_uses WHERE certificate = ? LIMIT 1').get(certificate) !== undefined;
}
