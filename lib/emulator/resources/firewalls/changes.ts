import type { Account } from '../../store/account.ts';
import { durationMs } from '../actions.ts';

/** Changes that have been asked for and are not applied yet; droplet 0 stands for the firewall itself, and is not shown. */
export const changeTables: readonly string[] = [
  'CREATE TABLE firewall_changes (firewall TEXT NOT NULL, due_at INTEGER NOT NULL, droplet INTEGER NOT NULL, removing INTEGER NOT NULL, PRIMARY KEY (firewall, due_at, droplet, removing)) WITHOUT ROWID',
];

export const APPLY = 'firewall.apply';
const ITSELF = 0;

/** Has a new firewall wait for its first application, even where it protects nothing yet. */
export function openFirst(account: Account, firewall: string): void {
  open(account, firewall, ITSELF, false);
}

/** Has a droplet get, or with `removing` lose, what the firewall says; of two opposite changes at once the later one counts. */
export function open(account: Account, firewall: string, droplet: number, removing: boolean): void {
  const dueAtMs = Math.floor(account.nowMs + durationMs(account, 'firewall'));
  const first =
    account.sql('SELECT 1 FROM firewall_changes WHERE firewall = ? AND due_at = ? LIMIT 1').get(firewall, dueAtMs) === undefined;
  account.run(
    'INSERT OR IGNORE INTO firewall_changes (firewall, due_at, droplet, removing) VALUES (?, ?, ?, ?)',
    firewall,
    dueAtMs,
    droplet,
    Number(removing),
  );
  account.run(
    'DELETE FROM firewall_changes WHERE firewall = ? AND due_at = ? AND droplet = ? AND removing = ?',
    firewall,
    dueAtMs,
    droplet,
    Number(!removing),
  );
  if (first) {
    account.schedule(dueAtMs, APPLY, firewall);
  }
}

/** Applies what has come due; whether there was anything. */
export function applyDue(account: Account, firewall: string): boolean {
  return account.run('DELETE FROM firewall_changes WHERE firewall = ? AND due_at <= ?', firewall, account.nowMs) > 0;
}

/** Drops the changes of a droplet that is gone. */
export function dropChangesOfDroplet(account: Account, droplet: number): void {
  account.run('DELETE FROM firewall_changes WHERE droplet = ?', droplet);
}

/** Drops the changes of a firewall that is gone. */
export function dropChanges(account: Account, firewall: string): void {
  account.run('DELETE FROM firewall_changes WHERE firewall = ?', firewall);
}

export function isWaiting(account: Account, firewall: string): boolean {
  return account.sql('SELECT 1 FROM firewall_changes WHERE firewall = ? LIMIT 1').get(firewall) !== undefined;
}

/** The pending changes as JSON text, the last one of each droplet, in the order in which they come due. */
export function pendingText(account: Account, firewall: string): string {
  // SQLite takes the bare columns from the row that has the maximum.
  const last = 'SELECT droplet, removing, MAX(due_at) AS last FROM firewall_changes WHERE firewall = ? AND droplet != ?';
  const rows = account.sql(`${last} GROUP BY droplet ORDER BY last, droplet`).all(firewall, ITSELF);
  return JSON.stringify(rows.map(({ droplet, removing }) => ({ droplet_id: droplet, removing: removing === 1, status: 'waiting' })));
}
