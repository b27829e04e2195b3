import { randomUUID } from 'node:crypto';
import { insightMessages, messages } from '../../assumptions.ts';
import { notFound, unprocessable } from '../../errors.ts';
import { choice, type JsonObject, onlyFields, requiredText, texts } from '../../fields.ts';
import type { Account } from '../../store/account.ts';
import { collection } from '../../store/collection.ts';
import { parseRecipients, type Recipients } from '../recipients.ts';
import { entityExists } from './entities.ts';
import { policiesOn, refer, unrefer } from './references.ts';
import { type PolicyType, policyTypes } from './types.ts';

const comparisons = ['GreaterThan', 'LessThan'] as const;
const windows = ['5m', '10m', '30m', '1h'] as const;

/** When people are told of a measure. With neither entities nor tags it watches everything. Source: the OpenAPI document, component `alert_policy`. */
export interface Policy {
  readonly uuid: string;
  readonly type: string;
  readonly description: string;
  readonly compare: (typeof comparisons)[number];
  readonly value: number;
  readonly window: (typeof windows)[number];
  /** The ids of what it watches. */
  readonly entities: readonly string[];
  readonly tags: readonly string[];
  readonly alerts: Recipients;
  readonly enabled: boolean;
}

export const policies = collection<Policy>({ table: 'alert_policies', key: 'text', id: (policy) => policy.uuid });

/** Announced with a policy's uuid when it is new, was changed or is gone. */
export const POLICY_CHANGED = 'policy.changed';

/** Makes a policy; every field is needed. Errors: 422. Source: operation monitoring_create_alertPolicy. */
export function createPolicy(account: Account, body: JsonObject): Policy {
  const policy: Policy = { uuid: randomUUID(), ...parsePolicy(account, body) };
  policies.insert(account, policy, null);
  refer(account, policy.uuid, targetsOf(policy));
  account.announce(POLICY_CHANGED, policy.uuid);
  return policy;
}

/** Puts a whole new policy in place of one. Errors: 422. Source: operation monitoring_update_alertPolicy. */
export function replacePolicy(account: Account, former: Policy, body: JsonObject): Policy {
  const policy: Policy = { uuid: former.uuid, ...parsePolicy(account, body) };
  change(account, former, policy);
  return policy;
}

export function removePolicy(account: Account, policy: Policy): void {
  unrefer(account, policy.uuid, targetsOf(policy));
  policies.remove(account, policy.uuid);
  account.announce(POLICY_CHANGED, policy.uuid);
}

/** The policy that a path names. Errors: 404. */
export function knownPolicy(account: Account, uuid = ''): Policy {
  const policy = policies.get(account, uuid)?.wire;
  if (policy === undefined) {
    throw notFound();
  }
  return policy;
}

/**
 * Takes a resource that is gone out of the policies that watch it. A policy that watched nothing else is disabled: without
 * entities and tags it would watch everything.
 */
export function forgetEntity(account: Account, watches: PolicyType['watches'], id: string): void {
  forget(account, entityTarget(watches, id), (policy) => ({ ...policy, entities: policy.entities.filter((entity) => entity !== id) }));
}

/** The same for a tag that is gone. */
export function forgetTag(account: Account, tag: string): void {
  forget(account, tagTarget(tag), (policy) => ({ ...policy, tags: policy.tags.filter((other) => other !== tag) }));
}

function forget(account: Account, target: string, without: (policy: Policy) => Policy): void {
  for (const uuid of policiesOn(account, target)) {
    const former = knownPolicy(account, uuid);
    const policy = without(former);
    const watchesNothing = policy.entities.length === 0 && policy.tags.length === 0;
    change(account, former, watchesNothing ? { ...policy, enabled: false } : policy);
  }
}

function change(account: Account, former: Policy, policy: Policy): void {
  unrefer(account, former.uuid, targetsOf(former));
  policies.update(account, policy, null);
  refer(account, policy.uuid, targetsOf(policy));
  account.announce(POLICY_CHANGED, policy.uuid);
}

function targetsOf({ type, entities, tags }: Policy): readonly string[] {
  const watches = policyTypes.get(type)?.watches ?? 'droplet';
  return [...entities.map((id) => entityTarget(watches, id)), ...tags.map(tagTarget)];
}

const entityTarget = (watches: PolicyType['watches'], id: string): string => `${watches}:${id}`;
const tagTarget = (tag: string): string => `tag:${tag}`;

const FIELDS = ['type', 'description', 'compare', 'value', 'window', 'entities', 'tags', 'alerts', 'enabled'] as const;

function parsePolicy(account: Account, body: JsonObject): Omit<Policy, 'uuid'> {
  onlyFields(body, ['uuid', ...FIELDS]);
  const missing = FIELDS.filter((name) => body[name] === undefined || body[name] === null);
  if (missing.length > 0) {
    throw unprocessable(`${missing.join(', ')} ${missing.length === 1 ? 'is' : 'are'} required.`);
  }
  const name = choice(body, 'type', [...policyTypes.keys()]);
  const type = policyTypes.get(name) ?? { watches: 'droplet', percent: false };
  if (typeof body.enabled !== 'boolean') {
    throw unprocessable('enabled must be true or false.');
  }
  return {
    type: name,
    description: requiredText(body, 'description'),
    compare: choice(body, 'compare', comparisons),
    value: parseValue(type, body.value),
    window: choice(body, 'window', windows),
    entities: parseEntities(account, type, texts(body, 'entities')),
    tags: parseTags(texts(body, 'tags')),
    alerts: parseRecipients(body.alerts),
    enabled: body.enabled,
  };
}

function parseValue({ percent }: PolicyType, value: unknown): number {
  if (typeof value !== 'number' || !Number.isFinite(value) || value < 0 || (percent && value > 100)) {
    throw unprocessable(percent ? insightMessages.policyPercent : insightMessages.policyValue);
  }
  return value;
}

function parseEntities(account: Account, { watches }: PolicyType, ids: readonly string[]): readonly string[] {
  const missing = ids.find((id) => !entityExists(account, watches, id));
  if (missing !== undefined) {
    throw unprocessable(insightMessages.policyEntity + missing);
  }
  return [...new Set(ids)];
}

/** A tag need not exist yet: its instances may come later. */
function parseTags(names: readonly string[]): readonly string[] {
  if (names.some((name) => !/^[a-zA-Z0-9_\-:]{1,255}$/.test(name))) {
    throw unprocessable(messages.tagName);
  }
  return [...new Set(names)];
}
