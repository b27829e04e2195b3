import type { Policy } from '../../resources/alert-policies/policies.ts';
import { type PolicyType, policyTypes } from '../../resources/alert-policies/types.ts';
import { clusters } from '../../resources/databases/clusters.ts';
import { droplets } from '../../resources/droplets/droplets.ts';
import { loadBalancers } from '../../resources/load-balancers/load-balancers.ts';
import { type TaggableKind, taggedIds } from '../../resources/tagging.ts';
import type { Account } from '../../store/account.ts';
import type { Source } from '../../store/collection.ts';

export type Watches = PolicyType['watches'];

export function watchesOf({ type }: Policy): Watches {
  return policyTypes.get(type)?.watches ?? 'droplet';
}

/** The ids of what a policy watches: those it names, and those under its tags; with neither, everything of its kind. */
export function watchedIds(account: Account, policy: Policy): readonly string[] {
  const { entities, tags } = policy;
  const kind = watchesOf(policy);
  if (entities.length === 0 && tags.length === 0) {
    return everyId(SOURCES[kind]?.(account));
  }
  const taggable = TAGGABLE[kind];
  const tagged = taggable === undefined ? [] : tags.flatMap((tag) => taggedIds(account, tag, taggable)).map(String);
  return [...new Set([...entities, ...tagged])];
}

/** The name that people know a resource by. */
export function nameOf(account: Account, kind: Watches, id: string): string {
  return NAMES[kind](account, id) ?? id;
}

/** There are no autoscale pools here. */
const SOURCES: Readonly<Partial<Record<Watches, (account: Account) => Source>>> = {
  droplet: (account) => droplets.source(account),
  'load balancer': (account) => loadBalancers.source(account),
  database: (account) => clusters.source(account),
};

const TAGGABLE: Readonly<Partial<Record<Watches, TaggableKind>>> = { droplet: 'droplets', database: 'databases' };

const NAMES: Readonly<Record<Watches, (account: Account, id: string) => string | undefined>> = {
  droplet: (account, id) => droplets.get(account, Number(id))?.wire.name,
  'load balancer': (account, id) => loadBalancers.get(account, id)?.wire.name,
  database: (account, id) => clusters.get(account, id)?.wire.name,
  'autoscale pool': () => undefined,
};

function everyId(source: Source | undefined): readonly string[] {
  const texts = source?.texts(source.total, 0) ?? [];
  return texts.map((text) => {
    const { id }: { readonly id: number | string } = JSON.parse(text);
    return String(id);
  });
}
