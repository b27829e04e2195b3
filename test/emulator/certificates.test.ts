import { describe, expect, test } from 'vitest';
import { customBody, leafFacts, pem } from './certificate-files.ts';
import { emptyPlatform, type Json, type Platform } from './platform.ts';

/** A certificate that is being issued for names in harbour.example. */
async function pendingCertificate(
  platform: Platform,
  dns_names: readonly string[] = ['harbour.example', '*.harbour.example'],
): Promise<Json> {
  await platform.post('/v2/domains', { name: 'harbour.example' });
  const made = await platform.post('/v2/certificates', { name: 'issued', type: 'lets_encrypt', dns_names });
  expect(made.status, made.body.message).toBe(201);
  return made.body.certificate;
}

async function certificateOf(platform: Platform, id: string): Promise<Json> {
  return (await platform.get(`/v2/certificates/${id}`)).body.certificate;
}

describe('a certificate that is brought along', () => {
  test('is verified at once and says what its leaf says', async () => {
    await using platform = await emptyPlatform();
    const { status, body } = await platform.post('/v2/certificates', customBody());
    expect([status, body.certificate]).toEqual([
      201,
      { id: body.certificate.id, name: 'own', ...leafFacts, created_at: '2026-02-10T12:00:00Z', state: 'verified', type: 'custom' },
    ]);
    expect(await certificateOf(platform, body.certificate.id)).toEqual(body.certificate);
    expect((await platform.get('/v2/certificates')).body).toMatchObject({ certificates: [body.certificate], meta: { total: 1 } });
  });

  test('needs neither a type nor a chain, and without alternative names has its common name', async () => {
    await using platform = await emptyPlatform();
    const body = { name: 'plain', private_key: pem.plainKey, leaf_certificate: pem.plain };
    const { certificate } = (await platform.post('/v2/certificates', body)).body;
    expect(certificate).toMatchObject({ type: 'custom', state: 'verified', dns_names: ['plain.harbour.example'] });
  });

  test('keeps no secret that a reply or the outbox could show', async () => {
    await using platform = await emptyPlatform();
    await platform.post('/v2/certificates', customBody());
    const shown = [await platform.get('/v2/certificates'), await platform.get('/_emulator/outbox')].map((answer) =>
      JSON.stringify(answer.body),
    );
    expect(shown.join()).not.toContain('PRIVATE KEY');
  });

  test.each([
    ['the key of another one', { private_key: pem.plainKey }, 'does not match'],
    ['a key behind a passphrase', { private_key: pem.lockedKey }, 'private key'],
    ['a key that is none', { private_key: 'secret' }, 'private key'],
    ['no key', { private_key: undefined }, 'private_key is required.'],
    ['a leaf that is none', { leaf_certificate: 'leaf' }, 'leaf certificate'],
    ['a leaf that is damaged', { leaf_certificate: pem.leaf.replace(/\n\w{20}/, '\nAAAAAAAAAAAAAAAAAAAA') }, 'leaf certificate'],
    ['a key in place of the leaf', { leaf_certificate: pem.leafKey }, 'leaf certificate'],
    ['a chain that is none', { certificate_chain: 'chain' }, 'chain'],
    [
      'a chain that is half damaged',
      { certificate_chain: `${pem.authority}\n${pem.leaf.replace(/\n\w{20}/, '\nAAAAAAAAAAAAAAAAAAAA')}` },
      'chain',
    ],
    ['a chain with a key in it', { certificate_chain: `${pem.authority}\n${pem.leafKey}` }, 'chain'],
    ['names of its own', { dns_names: ['a.example'] }, 'dns_names'],
    ['no name', { name: '' }, 'name is required.'],
    ['a type that is none', { type: 'paper' }, 'type'],
    ['an unknown field', { colour: 'red' }, 'colour'],
  ])('is refused for %s', async (_what, changes, part) => {
    await using platform = await emptyPlatform();
    const { status, body } = await platform.post('/v2/certificates', customBody(changes));
    expect([status, body.id]).toEqual([422, 'unprocessable_entity']);
    expect(body.message).toContain(part);
    expect((await platform.get('/v2/certificates')).body.meta.total).toBe(0);
  });

  test('has a name of its own, by which it is found', async () => {
    await using platform = await emptyPlatform();
    const { certificate } = (await platform.post('/v2/certificates', customBody())).body;
    expect((await platform.post('/v2/certificates', customBody())).status).toBe(422);
    await platform.post('/v2/certificates', customBody({ name: 'second' }));
    expect((await platform.get('/v2/certificates?name=own')).body.certificates).toEqual([certificate]);
    expect((await platform.get('/v2/certificates?name=none')).body.meta.total).toBe(0);
    // Source: the OpenAPI document, where the default of the filter is the empty text.
    const all = (await platform.get('/v2/certificates')).body.certificates;
    expect((await platform.get('/v2/certificates?name=')).body.certificates).toEqual(all);
  });
});

describe('a certificate that is issued', () => {
  test('is pending without an end, then verified for ninety days', async () => {
    await using platform = await emptyPlatform();
    const pending = await pendingCertificate(platform);
    expect(pending).toEqual({
      id: pending.id,
      name: 'issued',
      sha1_fingerprint: '',
      created_at: '2026-02-10T12:00:00Z',
      dns_names: ['harbour.example', '*.harbour.example'],
      state: 'pending',
      type: 'lets_encrypt',
    });
    await platform.post('/_emulator/clock', { advance: '59s' });
    expect((await certificateOf(platform, pending.id)).state).toBe('pending');
    await platform.post('/_emulator/clock', { advance: '1s' });
    const verified = await certificateOf(platform, pending.id);
    expect(verified).toMatchObject({ id: pending.id, state: 'verified', not_after: '2026-05-11T12:01:00Z' });
    expect(verified.sha1_fingerprint).toMatch(/^[0-9a-f]{40}$/);
  });

  test('is renewed thirty days before its end, while its domain is there', async () => {
    await using platform = await emptyPlatform();
    const { id } = await pendingCertificate(platform);
    await platform.post('/_emulator/clock', { advance: '60s' });
    const first = await certificateOf(platform, id);
    await platform.post('/_emulator/clock', { advance: '60d' });
    const second = await certificateOf(platform, id);
    expect([second.not_after, second.state]).toEqual(['2026-07-10T12:01:00Z', 'verified']);
    expect(second.sha1_fingerprint).not.toBe(first.sha1_fingerprint);
    await platform.del('/v2/domains/harbour.example');
    await platform.post('/_emulator/clock', { advance: '60d' });
    expect(await certificateOf(platform, id)).toEqual(second);
  });

  test('fails when its domain is deleted meanwhile', async () => {
    await using platform = await emptyPlatform();
    const { id } = await pendingCertificate(platform);
    await platform.del('/v2/domains/harbour.example');
    await platform.post('/_emulator/clock', { advance: '60s' });
    const failed = await certificateOf(platform, id);
    expect([failed.state, failed.not_after, failed.sha1_fingerprint]).toEqual(['error', undefined, '']);
    await platform.post('/_emulator/clock', { advance: '100d' });
    expect((await certificateOf(platform, id)).state).toBe('error');
  });

  test('fails when a fault says so, and nothing happens once it is deleted', async () => {
    await using platform = await emptyPlatform();
    await platform.post('/_emulator/faults', { action: 'errored', type: 'lets_encrypt', times: 1 });
    const { id } = await pendingCertificate(platform);
    await platform.post('/_emulator/clock', { advance: '60s' });
    expect((await certificateOf(platform, id)).state).toBe('error');
    expect((await platform.del(`/v2/certificates/${id}`)).status).toBe(204);
    const again = await pendingCertificate(platform);
    await platform.del(`/v2/certificates/${again.id}`);
    await platform.post('/_emulator/clock', { advance: '60s' });
    expect((await platform.get(`/v2/certificates/${again.id}`)).status).toBe(404);
  });

  test.each([
    ['no names', []],
    ['a name in no domain of the account', ['harbour.example', 'elsewhere.example']],
    ['a name that only ends like a domain', ['badharbour.example']],
    ['a name that is none', ['-.harbour.example']],
    ['a wildcard in the middle', ['a.*.harbour.example']],
  ])('is refused for %s', async (_what, dns_names) => {
    await using platform = await emptyPlatform();
    await platform.post('/v2/domains', { name: 'harbour.example' });
    const { status } = await platform.post('/v2/certificates', { name: 'x', type: 'lets_encrypt', dns_names });
    expect(status).toBe(422);
    expect((await platform.get('/v2/certificates')).body.meta.total).toBe(0);
  });
});

test('unknown certificates are not found', async () => {
  await using platform = await emptyPlatform();
  expect((await platform.get('/v2/certificates/none')).status).toBe(404);
  expect((await platform.del('/v2/certificates/none')).status).toBe(404);
});
