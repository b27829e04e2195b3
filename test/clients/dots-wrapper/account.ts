import { expect, it } from 'vitest';
import type { Enter } from './community-client.ts';
import { refusal } from './refusal.ts';

const PUBLIC_KEY = 'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIAABAgMEBQYHCAkKCwwNDg8QERITFBUWFxgZGhscHR4f captain@harbour.example';

export function accountStories(enter: Enter): void {
  it('shows the account, its bills and what it has done', async () => {
    const { client } = await enter();
    const { account } = (await client.account.getAccount()).data;
    expect(account).toMatchObject({ status: 'active', email_verified: true, droplet_limit: 25, floating_ip_limit: 5 });
    // The document answers a bare balance, and the client believes in an envelope.
    const balance: unknown = (await client.customer.getBalance()).data;
    expect(balance).toMatchObject({ generated_at: '2026-02-10T12:00:00Z', month_to_date_usage: expect.stringMatching(/^\d+\.\d\d$/) });
    const { billing_history, meta } = (await client.customer.listBillingHistory({ per_page: 5 })).data;
    expect([billing_history.length, (meta?.total ?? 0) > 5]).toEqual([5, true]);
    const { invoices, invoice_preview } = (await client.customer.listInvoices({})).data;
    const billed = billing_history.find(({ type }) => type === 'Invoice');
    expect(billed).toMatchObject({ invoice_uuid: invoices[0]?.invoice_uuid, amount: invoices[0]?.amount });
    expect(invoice_preview).toMatchObject({ invoice_period: '2026-02', updated_at: expect.any(String) });
    const { actions } = (await client.action.listActions({ per_page: 3 })).data;
    expect(actions.map(({ status }) => status)).toEqual(['completed', 'completed', 'completed']);
    const { action } = (await client.action.getAction({ action_id: actions[0]?.id ?? 0 })).data;
    expect(action).toEqual(actions[0]);
  });

  it('keeps SSH keys', async () => {
    const { client } = await enter();
    const { ssh_key } = (await client.sshKey.createSshKey({ name: 'Harbour', public_key: PUBLIC_KEY })).data;
    expect(ssh_key).toMatchObject({ name: 'Harbour', public_key: PUBLIC_KEY, fingerprint: expect.stringMatching(/^([0-9a-f]{2}:){15}/) });
    expect((await client.sshKey.listSshKeys({})).data.ssh_keys).toContainEqual(ssh_key);
    expect((await client.sshKey.getSshKey({ ssh_key_id: ssh_key.fingerprint })).data).toEqual({ ssh_key });
    expect((await client.sshKey.destroySshKey({ ssh_key_id: ssh_key.id })).status).toBe(204);
    expect(await refusal(client.sshKey.getSshKey({ ssh_key_id: ssh_key.id }))).toMatchObject({ status: 404, id: 'not_found' });
  });

  it('knows what is on offer: regions, sizes, engines', async () => {
    const { client } = await enter();
    const { regions } = (await client.region.listRegions({ per_page: 200 })).data;
    const { sizes, meta } = (await client.size.listSizes({ per_page: 10, page: 2 })).data;
    expect(regions.find(({ slug }) => slug === 'nyc3')).toMatchObject({ name: 'New York 3', available: true });
    expect([sizes.length, (meta?.total ?? 0) > 20]).toEqual([10, true]);
    expect(sizes[0]).toMatchObject({ price_hourly: expect.any(Number), regions: expect.any(Array), vcpus: expect.any(Number) });
    const { options } = (await client.database.listDatabaseOptions()).data;
    expect(options.pg?.versions).toContain('16');
    expect(options.kafka?.layouts.map(({ num_nodes }) => num_nodes)).toContain(3);
  });
}
