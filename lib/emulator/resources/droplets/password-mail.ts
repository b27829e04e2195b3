import { randomBytes, randomUUID } from 'node:crypto';
import type { Account } from '../../store/account.ts';
import type { AccountRecord } from '../account.ts';
import type { Droplet } from './droplets.ts';

/** Mails a new root password to the account's owner: it appears in the outbox and nowhere else. Source: operation dropletActions_post, password_reset. */
export function mailPassword(account: Account, droplet: Droplet): void {
  const record: AccountRecord = JSON.parse(account.setting('account') ?? '{}');
  const password = randomBytes(12).toString('hex');
  const address = droplet.networks.v4.find((network) => network.type === 'public')?.ip_address ?? 'none';
  account.post('mail', {
    to: record.email,
    message_id: `<password.${randomUUID()}@deckhand.invalid>`,
    subject: `Your new password for ${droplet.name}`,
    text: `Droplet Name: ${droplet.name}\nIP Address: ${address}\nUsername: root\nPassword: ${password}\n\nYou will be asked to change it at your first login.\n`,
  });
}
