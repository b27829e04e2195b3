import type { Account } from '../store/account.ts';
import type { Source } from '../store/collection.ts';

/** What lives in the VPCs, of any kind. Source: the OpenAPI document, component `vpc_member`. */
export const vpcMemberTables: readonly string[] = [
  'CREATE TABLE IF NOT EXISTS vpc_members (seq INTEGER PRIMARY KEY, vpc TEXT NOT NULL, urn TEXT NOT NULL UNIQUE, name TEXT NOT NULL, created_at TEXT NOT NULL)',
  'CREATE INDEX IF NOT EXISTS vpc_members_vpc ON vpc_members (vpc)',
];

/** Puts a resource into a VPC; its kind is the second part of its urn, `do:droplet:123`. */
export function joinVpc(account: Account, vpc: string, urn: string, name: string, createdAt: string): void {
  account.run('INSERT INTO vpc_members (vpc, urn, name, created_at) VALUES (?, ?, ?, ?)', vpc, urn, name, createdAt);
  account.count(totalOf(vpc), 1);
  account.count(totalOf(vpc, kindOf(urn)), 1);
}

/** Takes a resource out of its VPC, if it is in one. */
export function leaveVpc(account: Account, urn: string): void {
  const vpc = account.sql('DELETE FROM vpc_members WHERE urn = ? RETURNING vpc').get(urn)?.vpc;
  if (typeof vpc === 'string') {
    account.count(totalOf(vpc), -1);
    account.count(totalOf(vpc, kindOf(urn)), -1);
  }
}

export function renameMember(account: Account, urn: string, name: string): void {
  account.run('UPDATE vpc_members SET name = ? WHERE urn = ?', name, urn);
}

export function memberTotal(account: Account, vpc: string): number {
  return account.total(totalOf(vpc));
}

/** The members of a VPC, newest first, of one kind or of all. */
export function memberSource(account: Account, vpc: string, kind: string | null): Source {
  const pattern = kind === null ? 'do:%' : `do:${kind.replace(/[%_]/g, '')}:%`;
  return {
    total: kind === null ? memberTotal(account, vpc) : account.total(totalOf(vpc, kind)),
    texts: (limit, offset) =>
      account
        .sql('SELECT urn, name, created_at FROM vpc_members WHERE vpc = ? AND urn LIKE ? ORDER BY seq DESC LIMIT ? OFFSET ?')
        .all(vpc, pattern, limit, offset)
        .map((row) => JSON.stringify(row)),
  };
}

function totalOf(vpc: string, kind = ''): string {
  return `vpc-members.${vpc}.${kind}`;
}

function kindOf(urn: string): string {
  return urn.split(':')[1] ?? '';
}
