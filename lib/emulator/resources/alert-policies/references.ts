import type { Account } from '../../store/account.ts';

/** What alert policies refer to, so that the end of a resource or a tag finds them without a search. */
export const policyReferenceTables: readonly string[] = [
  'CREATE TABLE alert_policy_references (target TEXT NOT NULL, policy TEXT NOT NULL, PRIMARY KEY (target, policy)) WITHOUT ROWID',
];

export function refer(account: Account, policy: string, targets: readonly string[]): void {
  for (const target of targets) {
    account.run('INSERT OR IGNORE INTO alert_policy_references (target, policy) VALUES (?, ?)', target, policy);
  }
}

export function unrefer(account: Account, policy: string, targets: readonly string[]): void {
  for (const target of targets) {
    account.run('DELETE FROM alert_policy_references WHERE target = ? AND policy = ?', target, policy);
  }
}

/** The policies that refer to a target. */
export function policiesOn(account: Account, target: string): readonly string[] {
  const rows = account.sql('SELECT policy FROM alert_policy_references WHERE target = ?').all(target);
  return rows.map((row) => String(row.policy));
}
