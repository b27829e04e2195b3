import { spawnSync } from 'node:child_process';
import { createPrivateKey, X509Certificate } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { clusterBody, later, onlineCluster, smallest, withCluster } from './database-cluster.ts';
import { emptyPlatform } from './platform.ts';

const openssl = spawnSync('openssl', ['version']).status === 0;

describe('the certificate authority of a cluster', () => {
  const pemOf = (certificate: string): string => Buffer.from(certificate, 'base64').toString();

  test('is a real self-signed one, the same at every read and another for every cluster', async () => {
    await using made = await withCluster();
    const { certificate } = (await made.platform.get(`${made.path}/ca`)).body.ca;
    const authority = new X509Certificate(pemOf(certificate));
    expect([authority.ca, authority.verify(authority.publicKey), authority.checkIssued(authority)]).toEqual([true, true, true]);
    expect(authority.subject).toMatch(/^CN=[0-9a-f-]{36} Project CA$/);
    expect([Date.parse(authority.validFrom), Date.parse(authority.validTo)]).toEqual([
      Date.parse('2026-02-10T12:00:00Z'),
      Date.parse('2036-02-08T12:00:00Z'),
    ]);
    await later(made.platform, '30d');
    expect((await made.platform.get(`${made.path}/ca`)).body.ca.certificate).toBe(certificate);
    const other = await onlineCluster(made.platform, { name: 'other' });
    const { ca } = (await made.platform.get(`/v2/databases/${other.id}/ca`)).body;
    expect(new X509Certificate(pemOf(ca.certificate)).verify(authority.publicKey)).toBe(false);
  });

  test('is of the time that the clock is set to, also of one that certificates write in two ways', async () => {
    await using platform = await emptyPlatform();
    await platform.post('/_emulator/clock', { now: '1940-01-02T00:00:00Z' });
    const { id } = (await platform.post('/v2/databases', clusterBody())).body.database;
    const authority = new X509Certificate(pemOf((await platform.get(`/v2/databases/${id}/ca`)).body.ca.certificate));
    expect([Date.parse(authority.validFrom), Date.parse(authority.validTo)]).toEqual([
      Date.parse('1940-01-02T00:00:00Z'),
      Date.parse('1949-12-30T00:00:00Z'),
    ]);
  });

  test.skipIf(!openssl)('signs what users of Kafka prove themselves with; openssl agrees', async () => {
    await using made = await withCluster(smallest.kafka);
    const authority = pemOf((await made.platform.get(`${made.path}/ca`)).body.ca.certificate);
    const { user } = (await made.platform.post(`${made.path}/users`, { name: 'app' })).body;
    const own = new X509Certificate(user.access_cert);
    expect([
      own.subject,
      own.ca,
      own.checkIssued(new X509Certificate(authority)),
      own.checkPrivateKey(createPrivateKey(user.access_key)),
    ]).toEqual(['CN=app', false, true, true]);
    const directory = mkdtempSync(join(tmpdir(), 'deckhand-ca-'));
    try {
      const [caFile, certFile] = [join(directory, 'ca.pem'), join(directory, 'user.pem')];
      writeFileSync(caFile, authority);
      writeFileSync(certFile, user.access_cert);
      const at = String(Date.parse('2026-03-01T00:00:00Z') / 1000);
      const verified = spawnSync('openssl', [
        'verify',
        '-x509_strict',
        '-attime',
        at,
        '-purpose',
        'sslclient',
        '-CAfile',
        caFile,
        certFile,
      ]);
      expect([verified.status, verified.stderr.toString()]).toEqual([0, '']);
    } finally {
      rmSync(directory, { recursive: true });
    }
  });
});
