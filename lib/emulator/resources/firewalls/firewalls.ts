import { notFound } from '../../errors.ts';
import type { Account } from '../../store/account.ts';
import { collection } from '../../store/collection.ts';
import { isWaiting, pendingText } from './changes.ts';
import { mapTargets, type Rules, type RuleTarget, targetsOf } from './rules.ts';

/** A firewall as it is stored; its status and pending changes are added when it is shown. Source: the OpenAPI document, component `firewall`. */
export interface Firewall extends Rules {
  readonly id: string;
  readonly name: string;
  readonly created_at: string;
  readonly droplet_ids: readonly number[];
  readonly tags: readonly string[];
}

export interface FirewallHidden {
  /** Whether the last change could not be applied. */
  readonly failed: boolean;
}

export const firewalls = collection<Firewall, FirewallHidden>({
  table: 'firewalls',
  key: 'text',
  id: (firewall) => firewall.id,
  columns: {
    firewall: { of: (firewall) => firewall.id },
    name: { of: (firewall) => firewall.name, index: 'lookup', collate: 'NOCASE' },
    failed: { of: (_firewall, { failed }) => Number(failed) },
  },
  present: (account, text, { firewall, failed }) => {
    const id = String(firewall);
    const status = isWaiting(account, id) ? 'waiting' : failed === 1 ? 'failed' : 'succeeded';
    return `${text.slice(0, -1)},"status":"${status}","pending_changes":${pendingText(account, id)}}`;
  },
});

/** What firewalls refer to, so that what is deleted is found in them. */
export const firewallLinkTables: readonly string[] = [
  'CREATE TABLE firewall_links (kind TEXT NOT NULL, ref TEXT NOT NULL, firewall TEXT NOT NULL, PRIMARY KEY (kind, ref, firewall)) WITHOUT ROWID',
];

/** The firewall that a path names. Errors: 404. */
export function knownFirewall(account: Account, id = ''): Firewall {
  const firewall = firewalls.get(account, id.toLowerCase());
  if (firewall === undefined) {
    throw notFound();
  }
  return firewall.wire;
}

export function insertFirewall(account: Account, firewall: Firewall): void {
  firewalls.insert(account, firewall, { failed: false });
  link(account, firewall.id, [], linksOf(firewall));
}

export function updateFirewall(account: Account, before: Firewall, after: Firewall): void {
  firewalls.update(account, after, { failed: firewalls.get(account, before.id)?.hidden.failed ?? false });
  link(account, after.id, linksOf(before), linksOf(after));
}

export function removeFirewall(account: Account, firewall: Firewall): void {
  firewalls.remove(account, firewall.id);
  link(account, firewall.id, linksOf(firewall), []);
}

/** What a firewall can refer to: its own members, or what stands in its rules. */
export type LinkKind = 'droplet' | 'tag' | 'rule-droplet' | 'rule-tag' | 'rule-balancer';

/** The firewalls that refer to something. */
export function linkedFirewalls(account: Account, kind: LinkKind, ref: string): readonly string[] {
  return account
    .sql('SELECT firewall FROM firewall_links WHERE kind = ? AND ref = ?')
    .all(kind, ref)
    .map((row) => String(row.firewall));
}

/** Takes something that is gone out of every firewall that refers to it. A rule that named nothing else goes with it. */
export function forget(account: Account, kinds: readonly LinkKind[], ref: string): void {
  for (const id of new Set(kinds.flatMap((kind) => linkedFirewalls(account, kind, ref)))) {
    const before = firewalls.get(account, id)?.wire;
    if (before !== undefined) {
      updateFirewall(account, before, {
        ...before,
        ...mapTargets(before, (target) => withoutRef(target, kinds, ref)),
        droplet_ids: kinds.includes('droplet') ? before.droplet_ids.filter((dropletId) => String(dropletId) !== ref) : before.droplet_ids,
        tags: kinds.includes('tag') ? before.tags.filter((tag) => tag !== ref) : before.tags,
      });
    }
  }
}

function withoutRef(target: RuleTarget, kinds: readonly LinkKind[], ref: string): RuleTarget {
  const { addresses, droplet_ids, load_balancer_uids, tags } = target;
  const left = {
    addresses,
    droplet_ids: kinds.includes('rule-droplet') ? droplet_ids?.filter((id) => String(id) !== ref) : droplet_ids,
    load_balancer_uids: kinds.includes('rule-balancer') ? load_balancer_uids?.filter((id) => id !== ref) : load_balancer_uids,
    tags: kinds.includes('rule-tag') ? tags?.filter((tag) => tag !== ref) : tags,
  };
  return Object.fromEntries(Object.entries(left).filter(([, values]) => values !== undefined && values.length > 0));
}

type Link = readonly [kind: LinkKind, ref: string];

function linksOf(firewall: Firewall): readonly Link[] {
  const toLinks = (kind: LinkKind, refs: readonly (string | number)[] = []): readonly Link[] => refs.map((ref) => [kind, String(ref)]);
  return [
    ...toLinks('droplet', firewall.droplet_ids),
    ...toLinks('tag', firewall.tags),
    ...targetsOf(firewall).flatMap((target) => [
      ...toLinks('rule-droplet', target.droplet_ids),
      ...toLinks('rule-tag', target.tags),
      ...toLinks('rule-balancer', target.load_balancer_uids),
    ]),
  ];
}

function link(account: Account, firewall: string, before: readonly Link[], after: readonly Link[]): void {
  for (const [kind, ref] of before) {
    account.run('DELETE FROM firewall_links WHERE kind = ? AND ref = ? AND firewall = ?', kind, ref, firewall);
  }
  for (const [kind, ref] of after) {
    account.run('INSERT OR IGNORE INTO firewall_links (kind, ref, firewall) VALUES (?, ?, ?)', kind, ref, firewall);
  }
}
