import { expect, test } from 'vitest';
import { activeDroplet, frozenPlatform, type Json } from './platform.ts';

const BLOB = 'AAAAC3NzaC1lZDI1NTE5AAAAIOMqqnkVzrm0SdG6UOoqKLsABgH5C9okWi0dh2l9GKJl';

test('a key is found by id and fingerprint, renamed and deleted', async () => {
  await using platform = await frozenPlatform();
  const made = await platform.post('/v2/account/keys', { name: 'mine', public_key: `ssh-ed25519 ${BLOB} me@home` });
  expect(made.status).toBe(201);
  // The MD5 that `ssh-keygen -l -E md5` prints for this key.
  expect(made.body.ssh_key).toEqual({
    id: expect.any(Number),
    fingerprint: 'ea:fe:cc:b7:f2:a1:95:78:6f:fc:14:c8:88:cb:37:a3',
    public_key: `ssh-ed25519 ${BLOB} me@home`,
    name: 'mine',
  });
  const { id, fingerprint } = made.body.ssh_key;
  for (const reference of [id, fingerprint, encodeURIComponent(fingerprint)]) {
    expect((await platform.get(`/v2/account/keys/${reference}`)).body).toEqual(made.body);
  }
  expect((await platform.put(`/v2/account/keys/${id}`, { name: 'yours' })).body.ssh_key.name).toBe('yours');
  expect((await platform.del(`/v2/account/keys/${fingerprint}`)).status).toBe(204);
  expect((await platform.get(`/v2/account/keys/${id}`)).status).toBe(404);
});

test('the same key again is refused, whatever its comment', async () => {
  await using platform = await frozenPlatform();
  await platform.post('/v2/account/keys', { name: 'a', public_key: `ssh-ed25519 ${BLOB}` });
  const again = await platform.post('/v2/account/keys', { name: 'b', public_key: `ssh-ed25519 ${BLOB} other` });
  expect([again.status, again.body.message]).toEqual([422, 'SSH Key is already in use on your account']);
});

test.each([
  ['no key', 'hello'],
  ['an unknown type', `ssh-foo ${BLOB}`],
  ['a blob of another type', `ssh-rsa ${BLOB}`],
  ['no base64', 'ssh-ed25519 !!!!'],
  ['a blob that says its type and nothing more', 'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5'],
])('%s is refused as a key', async (_what, publicKey) => {
  await using platform = await frozenPlatform();
  const refused = await platform.post('/v2/account/keys', { name: 'a', public_key: publicKey });
  expect([refused.status, refused.body.message]).toEqual([
    422,
    'Key invalid, key should be of the format `type key` or `type key comment`',
  ]);
});

test('usage grows with the hours a droplet has begun, up to its monthly price', async () => {
  await using platform = await frozenPlatform();
  const { token } = (await platform.post('/_emulator/accounts', { seed: 'empty' })).body;
  const mine = platform.as(token);
  await mine.post('/_emulator/clock', { freeze: true, now: '2026-03-01T00:00:00Z' });
  const usage = async () => (await mine.get('/v2/customers/my/balance')).body;
  expect(await usage()).toEqual({
    month_to_date_balance: '0.00',
    account_balance: '0.00',
    month_to_date_usage: '0.00',
    generated_at: '2026-03-01T00:00:00Z',
  });
  const droplet = await activeDroplet(mine, { size: 'c-16' }); // 0.50 an hour, 336 a month
  expect((await usage()).month_to_date_usage).toBe('0.50');
  await mine.post('/_emulator/clock', { now: '2026-03-01T10:00:00Z' });
  expect((await usage()).month_to_date_usage).toBe('5.00');
  await mine.post('/_emulator/clock', { now: '2026-03-31T00:00:00Z' });
  expect((await usage()).month_to_date_usage).toBe('336.00');
  await mine.del(`/v2/droplets/${droplet.id}`);
  expect((await usage()).month_to_date_usage).toBe('336.00');
});

test('a resized droplet costs the old price until then and the new one after', async () => {
  await using platform = await frozenPlatform();
  const { token } = (await platform.post('/_emulator/accounts', { seed: 'empty' })).body;
  const mine = platform.as(token);
  await mine.post('/_emulator/clock', { freeze: true, now: '2026-03-01T00:00:00Z' });
  const droplet = await activeDroplet(mine, { size: 'c-4' }); // 0.125 an hour
  await mine.post('/_emulator/clock', { now: '2026-03-01T07:59:00Z' });
  await mine.post(`/v2/droplets/${droplet.id}/actions`, { type: 'power_off' });
  await mine.post('/_emulator/clock', { now: '2026-03-01T07:59:20Z' });
  await mine.post(`/v2/droplets/${droplet.id}/actions`, { type: 'resize', size: 'c-8' }); // 0.25 an hour
  await mine.post('/_emulator/clock', { now: '2026-03-01T12:00:00Z' });
  expect((await mine.get('/v2/customers/my/balance')).body.month_to_date_usage).toBe('2.00');
});

test('a new month writes the invoice, and the card pays it hours later', async () => {
  await using platform = await frozenPlatform();
  const before = (await platform.get('/v2/customers/my/invoices')).body;
  expect(before.invoice_preview).toMatchObject({ invoice_period: '2026-02', updated_at: '2026-02-10T12:00:00Z' });
  expect(before.invoices.map((invoice: Json) => invoice.invoice_period)).toEqual(['2026-01', '2025-12', '2025-11', '2025-10', '2025-09']);

  await platform.post('/_emulator/clock', { now: '2026-03-01T01:00:00Z' });
  const after = (await platform.get('/v2/customers/my/invoices')).body;
  const [invoice] = after.invoices;
  expect(invoice).toMatchObject({
    invoice_period: '2026-02',
    invoice_uuid: before.invoice_preview.invoice_uuid,
    invoice_id: before.invoice_preview.invoice_id,
  });
  expect(after.invoice_preview).toMatchObject({ invoice_period: '2026-03' });
  const [line] = (await platform.get('/v2/customers/my/billing_history')).body.billing_history;
  expect(line).toEqual({
    description: 'Invoice for February 2026',
    amount: invoice.amount,
    invoice_id: invoice.invoice_id,
    invoice_uuid: invoice.invoice_uuid,
    date: '2026-03-01T00:00:00Z',
    type: 'Invoice',
  });
  const owed = (await platform.get('/v2/customers/my/balance')).body;
  expect(owed.account_balance).toBe(invoice.amount);
  expect(Number(owed.month_to_date_balance)).toBeCloseTo(Number(owed.account_balance) + Number(owed.month_to_date_usage), 2);

  await platform.post('/_emulator/clock', { advance: '6h' });
  const [payment] = (await platform.get('/v2/customers/my/billing_history')).body.billing_history;
  expect(payment).toEqual({
    description: 'Payment (Visa 4242)',
    amount: `-${invoice.amount}`,
    date: '2026-03-01T06:00:00Z',
    type: 'Payment',
  });
  expect((await platform.get('/v2/customers/my/balance')).body.account_balance).toBe('0.00');
});

test('sizes and regions name each other', async () => {
  await using platform = await frozenPlatform();
  const { sizes } = (await platform.get('/v2/sizes?per_page=200')).body;
  const { regions } = (await platform.get('/v2/regions?per_page=200')).body;
  expect(sizes.length).toBeGreaterThanOrEqual(30);
  expect(regions.length).toBeGreaterThanOrEqual(12);
  for (const region of regions) {
    const offered = sizes.filter((size: Json) => size.regions.includes(region.slug)).map((size: Json) => size.slug);
    expect(region.sizes, region.slug).toEqual(offered);
  }
});
