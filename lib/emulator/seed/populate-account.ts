import { randomUUID } from 'node:crypto';
import type { AccountRecord } from '../resources/account.ts';
import type { Family } from '../resources/family.ts';
import type { Account } from '../store/account.ts';
import type { Birth } from '../store/accounts.ts';
import { HISTORY_MS, tellHistory } from './history.ts';

/** How a new account gets what it begins with: nothing but itself, or some months of a small company's past. */
export function populateAccount(families: readonly Family[]): (account: Account, birth: Birth) => void {
  return (account, birth) => {
    const nowMs = account.nowMs;
    const past = birth.seed === 'default';
    account.replay(past ? nowMs - HISTORY_MS : nowMs, () => {
      const record = newRecord(birth);
      account.set('account', JSON.stringify(record));
      account.set('status', record.status);
      for (const family of families) {
        family.born?.(account);
      }
    });
    if (past) {
      tellHistory(account, nowMs);
      account.replay(nowMs, () => undefined);
    }
  };
}

const DROPLET_LIMIT = 25;

function newRecord({ dropletLimit = DROPLET_LIMIT, status = 'active' }: Birth): AccountRecord {
  return {
    droplet_limit: dropletLimit,
    floating_ip_limit: 5,
    reserved_ip_limit: 5,
    volume_limit: 100,
    email: 'captain@example.com',
    name: 'Robin Deckhand',
    uuid: randomUUID(),
    email_verified: true,
    status,
    status_message: status === 'locked' ? 'Your account is locked.' : '',
    team: { uuid: randomUUID(), name: 'Harbour Crew' },
  };
}
