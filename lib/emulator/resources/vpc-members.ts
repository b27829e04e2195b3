import type { Account } from '../store/account.ts';
import type { Source } from '../store/collection.ts';

/** What lives in the VPCs, of any kind. Source: the OpenAPI document, component `vpc_member`. */
export const vpcMemberTables: readonly string[] = [
  'CREATE TABLE vpc_members (vpc TEXT NOT NULL, urn TEXT NOT NULL, name TEXT NOT NULL, created_at TEXT NOT NULL, PRIMARY KEY (vpc, urn)) WITHOUT ROWID',
];

/** Puts a resource into a VPC; its kind is the second part of its urn, `do:droplet:123`. */
export function joinVpc(account: Account, vpc: string, urn: string, name: string, createdAt: string): void {
  account.run('INSERT INTO vpc_members (vpc, urn, name, created_at) VALUES (?, ?, ?, ?)', vpc, urn, name, createdAt);
  countMember(account, vpc, urn, 1);
}

/** Takes a resource out of a VPC, if it is in it. */
export function leaveVpc(account: Account, vpc: string, urn: string): void {
  if (account.run('DELETE FROM vpc_members WHERE vpc = ? AND urn = ?', vpc, urn) > 0) {
    countMember(account, vpc, urn, -1);
  }
}

export function renameMember(account: Account, vpc: string, urn: string, name: string): void {
  account.run('UPDATE vpc_members SET name = ? WHERE vpc = ? AND urn = ?', name, vpc, urn);
}

export function memberTotal(account: Account, vpc: string): number {
  return account.total(totalOf(vpc));
}

/** The members of a VPC, of one kind or of all, by kind and then the newest first as far as their ids tell. */
export function memberSource(account: Account, vpc: string, kind: string | null): Source {
  const [from, to] = kind === null ? ['do:', 'do;'] : [`do:${kind}:`, `do:${kind};`];
  const inRange = 'FROM vpc_members WHERE vpc = ? AND urn >= ? AND urn < ?';
  return {
    total: account.total(totalOf(vpc, kind)),
    texts: (limit, offset) =>
      account
        .sql(`SELECT urn, name, created_at ${inRange} ORDER BY urn DESC LIMIT ? + 0 OFFSET ? + 0`)
        .all(vpc, from, to, limit, offset)
        .map((row) => JSON.stringify(row)),
  };
}

function countMember(account: Account, vpc: string, urn: string, change: number): void {
  account.count(totalOf(vpc), change);
  account.count(totalOf(vpc, urn.split(':')[1] ?? ''), change);
}

/** The name of the total of a VPC's members, of one kind or of all. */
function totalOf(vpc: string, kind: string | null = null): string {
  return kind === null ? `vpc-members.${vpc}` : `vpc-members.${vpc}.${kind}`;
}
