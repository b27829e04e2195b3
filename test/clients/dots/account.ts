import { expect, it } from 'vitest';
import type { Enter } from './official-client.ts';
import { refusal } from './refusal.ts';

const PUBLIC_KEY = 'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIAABAgMEBQYHCAkKCwwNDg8QERITFBUWFxgZGhscHR4f captain@harbour.example';

export function accountStories(enter: Enter): void {
  it('shows the account, its bills and what it has done', async () => {
    const { v2 } = await enter();
    const { account } = await v2.account.get();
    expect(account).toMatchObject({ status: 'active', emailVerified: true, dropletLimit: 25, team: { name: expect.any(String) } });

    const balance = await v2.customers.my.balance.get();
    expect(balance.generatedAt).toEqual(new Date('2026-02-10T12:00:00Z'));
    expect(Number(balance.monthToDateBalance)).toBeCloseTo(Number(balance.accountBalance) + Number(balance.monthToDateUsage), 2);

    const { billingHistory } = await v2.customers.my.billing_history.get();
    const { invoices, invoicePreview } = await v2.customers.my.invoices.get({ queryParameters: { page: 1, perPage: 2 } });
    expect(invoices).toHaveLength(2);
    const billed = billingHistory.find(({ type }: { type: string }) => type === 'Invoice');
    expect(billed).toMatchObject({ invoiceUuid: invoices[0].invoiceUuid, amount: invoices[0].amount, date: expect.any(Date) });
    expect(invoicePreview.invoicePeriod).toBe('2026-02');

    const { actions, meta } = await v2.actions.get({ queryParameters: { perPage: 3 } });
    expect([actions.length, meta.total > 3]).toEqual([3, true]);
    const { action } = await v2.actions.byAction_id(actions[0].id).get();
    expect(action).toEqual(actions[0]);
    expect(action).toMatchObject({ status: 'completed', startedAt: expect.any(Date), completedAt: expect.any(Date) });
  });

  it('keeps SSH keys, by id and by fingerprint', async () => {
    const { v2 } = await enter();
    const { sshKey } = await v2.account.keys.post({ name: 'Harbour', publicKey: PUBLIC_KEY });
    expect(sshKey).toMatchObject({
      name: 'Harbour',
      publicKey: PUBLIC_KEY,
      fingerprint: expect.stringMatching(/^([0-9a-f]{2}:){15}[0-9a-f]{2}$/),
    });
    const { sshKeys } = await v2.account.keys.get();
    expect(sshKeys).toContainEqual(sshKey);
    expect(await v2.account.keys.bySsh_key_identifier(sshKey.id).get()).toEqual({ sshKey });
    expect(await v2.account.keys.bySsh_key_identifier(sshKey.fingerprint).get()).toEqual({ sshKey });
    expect(await refusal(v2.account.keys.post({ name: 'Again', publicKey: PUBLIC_KEY }))).toEqual({
      status: 422,
      id: 'unprocessable_entity',
      message: 'SSH Key is already in use on your account',
    });
    await v2.account.keys.bySsh_key_identifier(sshKey.id).delete();
    expect(await refusal(v2.account.keys.bySsh_key_identifier(sshKey.id).get())).toMatchObject({ status: 404, id: 'not_found' });
  });

  it('knows what is on offer: regions, sizes, engines', async () => {
    const { v2 } = await enter();
    const { regions } = await v2.regions.get({ queryParameters: { perPage: 200 } });
    const { sizes } = await v2.sizes.get({ queryParameters: { perPage: 200 } });
    const nyc3 = regions.find(({ slug }: { slug: string }) => slug === 'nyc3');
    const small = sizes.find(({ slug }: { slug: string }) => slug === 's-1vcpu-1gb');
    expect(nyc3).toMatchObject({ name: 'New York 3', available: true, sizes: expect.arrayContaining(['s-1vcpu-1gb']) });
    expect(small).toMatchObject({ memory: 1024, vcpus: 1, disk: 25, priceMonthly: 6, regions: expect.arrayContaining(['nyc3']) });
    expect(small.diskInfo).toEqual([{ type: 'local', size: { amount: 25, unit: 'gib' } }]);
    const { options, versionAvailability } = await v2.databases.optionsPath.get();
    expect(options.pg).toMatchObject({ regions: expect.arrayContaining(['nyc3']), versions: expect.arrayContaining(['16']) });
    expect(options.kafka.layouts.map(({ numNodes }: { numNodes: number }) => numNodes)).toContain(3);
    expect(versionAvailability.mysql.map(({ version }: { version: string }) => version)).toEqual(options.mysql.versions);
  });
}
