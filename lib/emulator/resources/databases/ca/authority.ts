import { createPrivateKey, createPublicKey, generateKeyPairSync, randomUUID } from 'node:crypto';
import { DAY_MS } from '../../../calendar.ts';
import type { Account } from '../../../store/account.ts';
import { certificate } from './certificate.ts';

/** Every cluster has an authority of its own, which its clients trust and which signs what its users prove themselves with. */
export const authorityTables: readonly string[] = [
  'CREATE TABLE database_authorities (cluster TEXT PRIMARY KEY, name TEXT NOT NULL, certificate TEXT NOT NULL, private_key TEXT NOT NULL) WITHOUT ROWID',
];

const AUTHORITY_DAYS = 3650;
const CLIENT_DAYS = 820;

/** Makes the self-signed authority of a new cluster. */
export function createAuthority(account: Account, cluster: string): void {
  const { publicKey, privateKey } = keyPair();
  const name = `${randomUUID()} Project CA`;
  const pem = certificate({
    subject: name,
    issuer: name,
    publicKey,
    issuerPublicKey: publicKey,
    issuerKey: privateKey,
    fromMs: account.nowMs,
    untilMs: account.nowMs + AUTHORITY_DAYS * DAY_MS,
    use: 'authority',
  });
  const key = privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
  account.run('INSERT INTO database_authorities (cluster, name, certificate, private_key) VALUES (?, ?, ?, ?)', cluster, name, pem, key);
}

/** The certificate of a cluster's authority, as PEM. */
export function authorityPem(account: Account, cluster: string): string {
  return String(account.sql('SELECT certificate FROM database_authorities WHERE cluster = ?').get(cluster)?.certificate);
}

/** A certificate with its key, both PEM, by which a client shows a cluster that it is `user`. */
export function clientCertificate(account: Account, cluster: string, user: string): { readonly certificate: string; readonly key: string } {
  const authority = account.sql('SELECT name, private_key FROM database_authorities WHERE cluster = ?').get(cluster);
  const issuerKey = createPrivateKey(String(authority?.private_key));
  const { publicKey, privateKey } = keyPair();
  const pem = certificate({
    subject: user,
    issuer: String(authority?.name),
    publicKey,
    issuerPublicKey: createPublicKey(issuerKey),
    issuerKey,
    fromMs: account.nowMs,
    untilMs: account.nowMs + CLIENT_DAYS * DAY_MS,
    use: 'client',
  });
  return { certificate: pem, key: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString() };
}

export function removeAuthority(account: Account, cluster: string): void {
  account.run('DELETE FROM database_authorities WHERE cluster = ?', cluster);
}

function keyPair() {
  return generateKeyPairSync('ec', { namedCurve: 'P-256' });
}
