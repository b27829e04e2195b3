import type { Account } from '../../store/account.ts';
import type { Source } from '../../store/collection.ts';
import { droplets } from '../droplets/droplets.ts';
import { taggedIds } from '../tagging.ts';
import { dropChangesOfDroplet, open } from './changes.ts';
import { type Firewall, firewalls, linkedFirewalls } from './firewalls.ts';

/** Which droplet each firewall protects, whether it names the droplet or one of its tags; `seq` is the firewall's place in the order of arrival. */
export const coverageTables: readonly string[] = [
  'CREATE TABLE firewall_coverage (droplet INTEGER NOT NULL, seq INTEGER NOT NULL, firewall TEXT NOT NULL, PRIMARY KEY (droplet, seq)) WITHOUT ROWID',
  'CREATE INDEX firewall_coverage_firewall ON firewall_coverage (firewall)',
];

/** Brings the coverage of a firewall in line with its droplets and tags; what changes by that is pending. */
export function coverAgain(account: Account, { id, droplet_ids, tags }: Firewall): void {
  const wanted = new Set([...droplet_ids, ...tags.flatMap((tag) => taggedIds(account, tag, 'droplets').map(Number))]);
  const covered = new Set(coveredDroplets(account, id));
  for (const droplet of wanted) {
    if (!covered.has(droplet)) {
      cover(account, id, droplet);
    }
  }
  for (const droplet of covered) {
    if (!wanted.has(droplet)) {
      uncover(account, id, droplet);
    }
  }
}

/** Brings the firewalls of a droplet in line with its tags. */
export function coverDroplet(account: Account, dropletId: number): void {
  const tags = droplets.get(account, dropletId)?.wire.tags ?? [];
  const byTag = tags.flatMap((tag) => linkedFirewalls(account, 'tag', tag));
  const wanted = new Set([...linkedFirewalls(account, 'droplet', String(dropletId)), ...byTag]);
  const covering = account
    .sql('SELECT firewall FROM firewall_coverage WHERE droplet = ?')
    .all(dropletId)
    .map((row) => String(row.firewall));
  for (const firewall of wanted) {
    if (!covering.includes(firewall)) {
      cover(account, firewall, dropletId);
    }
  }
  for (const firewall of covering) {
    if (!wanted.has(firewall)) {
      uncover(account, firewall, dropletId);
    }
  }
}

/** Every droplet of a firewall is to get its changed rules. */
export function refreshDroplets(account: Account, firewall: string): void {
  for (const droplet of coveredDroplets(account, firewall)) {
    open(account, firewall, droplet, false);
  }
}

/** Drops a droplet that is gone from what firewalls protect and are about to do. */
export function dropDroplet(account: Account, dropletId: number): void {
  account.run('DELETE FROM firewall_coverage WHERE droplet = ?', dropletId);
  account.count(totalOf(dropletId), -account.total(totalOf(dropletId)));
  dropChangesOfDroplet(account, dropletId);
}

/** Has a firewall protect a droplet, as if its rules had been applied there already. */
export function noteCoverage(account: Account, firewall: string, droplet: number): void {
  account.run('INSERT INTO firewall_coverage (droplet, seq, firewall) SELECT ?, seq, id FROM firewalls WHERE id = ?', droplet, firewall);
  account.count(totalOf(droplet), 1);
}

/** Drops the coverage of a firewall that is gone. */
export function dropCoverage(account: Account, firewall: string): void {
  for (const droplet of coveredDroplets(account, firewall)) {
    account.count(totalOf(droplet), -1);
  }
  account.run('DELETE FROM firewall_coverage WHERE firewall = ?', firewall);
}

/** The firewalls that protect a droplet, newest first. */
export function firewallsOfDroplet(account: Account, dropletId: number): Source {
  const ids = 'SELECT firewall AS id FROM firewall_coverage WHERE droplet = ? ORDER BY seq DESC';
  return firewalls.sourceOf(account, account.total(totalOf(dropletId)), ids, dropletId);
}

function coveredDroplets(account: Account, firewall: string): readonly number[] {
  return account
    .sql('SELECT droplet FROM firewall_coverage WHERE firewall = ?')
    .all(firewall)
    .map((row) => Number(row.droplet));
}

function cover(account: Account, firewall: string, droplet: number): void {
  noteCoverage(account, firewall, droplet);
  open(account, firewall, droplet, false);
}

function uncover(account: Account, firewall: string, droplet: number): void {
  account.run('DELETE FROM firewall_coverage WHERE droplet = ? AND firewall = ?', droplet, firewall);
  account.count(totalOf(droplet), -1);
  open(account, firewall, droplet, true);
}

function totalOf(droplet: number): string {
  return `firewalls-of.${droplet}`;
}
