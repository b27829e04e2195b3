import { randomUUID } from 'node:crypto';
import { databaseMessages } from '../../assumptions.ts';
import { timestamp } from '../../calendar.ts';
import { unprocessable } from '../../errors.ts';
import { choice, integerId, type JsonObject, objects, onlyFields, optionalText, requiredText } from '../../fields.ts';
import { isIpv4 } from '../../ip.ts';
import type { Account } from '../../store/account.ts';
import { droplets } from '../droplets/droplets.ts';
import { type PlatformRequest, type Route, route } from '../family.ts';
import { tagExists } from '../tagging.ts';
import { knownCluster } from './clusters.ts';

/** The rules are few and always replaced together; by type and value they are found when what they name is deleted. */
export const firewallTables: readonly string[] = [
  'CREATE TABLE database_rules (cluster TEXT NOT NULL, position INTEGER NOT NULL, type TEXT NOT NULL, value TEXT NOT NULL, doc TEXT NOT NULL, PRIMARY KEY (cluster, position)) WITHOUT ROWID',
  'CREATE INDEX database_rules_value ON database_rules (type, value)',
];

/** Source: operations databases_list_firewall_rules and databases_update_firewall_rules. */
export const firewallRoutes: readonly Route[] = [
  route('GET /v2/databases/{cluster}/firewall', {}, ({ params }, account) => {
    const { id } = knownCluster(account, params.cluster).wire;
    return `{"rules":[${ruleTexts(account, id).join(',')}]}`;
  }),
  route('PUT /v2/databases/{cluster}/firewall', { status: 204 }, replaceAll),
];

const TYPES = ['droplet', 'k8s', 'ip_addr', 'tag', 'app'] as const;
const MAX_RULES = 100;
const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
const FIELDS = ['uuid', 'cluster_uuid', 'type', 'value', 'created_at', 'description'];

/** A rule as it is asked for, checked. */
export interface NewRule {
  readonly uuid: string | undefined;
  readonly type: (typeof TYPES)[number];
  readonly value: string;
  readonly description: string | undefined;
}

/** A rule as it is shown. Source: the OpenAPI document, component `firewall_rule`. */
interface Rule extends Omit<NewRule, 'uuid'> {
  readonly uuid: string;
  readonly cluster_uuid: string;
  readonly created_at: string;
}

/** Reads rules for a cluster, or for a new one. Errors: 422 for a rule that names nothing that exists. */
export function parseRules(account: Account, given: readonly JsonObject[], cluster?: string): readonly NewRule[] {
  if (given.length > MAX_RULES) {
    throw unprocessable(databaseMessages.tooManyRules);
  }
  const rules = given.map((rule) => parseRule(account, rule, cluster));
  if (new Set(rules.map(({ type, value }) => `${type} ${value}`)).size < rules.length) {
    throw unprocessable(databaseMessages.ruleTwice);
  }
  const uuids = rules.flatMap(({ uuid }) => uuid ?? []);
  if (new Set(uuids).size < uuids.length) {
    throw unprocessable(databaseMessages.ruleUuidTwice);
  }
  return rules;
}

/** Puts these rules in the place of all others. One that was there keeps its uuid and age, and so does one that is given a known uuid. */
export function replaceRules(account: Account, cluster: string, rules: readonly NewRule[]): void {
  const before: readonly Rule[] = ruleTexts(account, cluster).map((text) => JSON.parse(text));
  const taken = new Set(rules.map(({ uuid }) => uuid));
  removeRules(account, cluster);
  for (const [position, { uuid, type, value, description }] of rules.entries()) {
    const known = before.find((rule) =>
      uuid === undefined ? rule.type === type && rule.value === value && !taken.has(rule.uuid) : rule.uuid === uuid,
    );
    const rule: Rule = {
      uuid: uuid ?? known?.uuid ?? randomUUID(),
      cluster_uuid: cluster,
      type,
      value,
      description,
      created_at: known?.created_at ?? timestamp(account.nowMs),
    };
    const row = [cluster, position, type, value, JSON.stringify(rule)];
    account.run('INSERT INTO database_rules (cluster, position, type, value, doc) VALUES (?, ?, ?, ?, ?)', ...row);
  }
}

export function removeRules(account: Account, cluster: string): void {
  account.run('DELETE FROM database_rules WHERE cluster = ?', cluster);
}

/** Takes what no longer exists out of every cluster's rules. */
export function forgetInRules(account: Account, type: 'droplet' | 'tag', value: string): void {
  account.run('DELETE FROM database_rules WHERE type = ? AND value = ?', type, value);
}

function replaceAll({ params, body }: PlatformRequest, account: Account): undefined {
  const { id } = knownCluster(account, params.cluster).wire;
  onlyFields(body, ['rules']);
  if (!Array.isArray(body.rules)) {
    throw unprocessable('rules is required: an empty array opens the cluster to all.');
  }
  replaceRules(account, id, parseRules(account, objects(body, 'rules'), id));
  return undefined;
}

function parseRule(account: Account, rule: JsonObject, cluster: string | undefined): NewRule {
  onlyFields(rule, FIELDS, 'rules.');
  const type = choice(rule, 'type', TYPES);
  const value = requiredText(rule, 'value');
  const owner = optionalText(rule, 'cluster_uuid') || cluster;
  if (cluster !== undefined && owner !== cluster) {
    throw unprocessable(databaseMessages.ruleCluster);
  }
  const problem = problemOf(account, type, value);
  if (problem !== undefined) {
    throw unprocessable(problem);
  }
  const uuid = optionalText(rule, 'uuid') || undefined;
  if (uuid !== undefined && !UUID.test(uuid)) {
    throw unprocessable('rules.uuid must be a UUID.');
  }
  return { uuid, type, value, description: optionalText(rule, 'description') };
}

function problemOf(account: Account, type: NewRule['type'], value: string): string | undefined {
  switch (type) {
    case 'droplet':
      return droplets.get(account, integerId(value) ?? 0) === undefined ? databaseMessages.ruleDroplet : undefined;
    case 'tag':
      return tagExists(account, value) ? undefined : databaseMessages.ruleTag;
    case 'ip_addr':
      return isIpv4Range(value) ? undefined : databaseMessages.ruleAddress;
    case 'k8s':
    case 'app':
      return UUID.test(value) ? undefined : databaseMessages.ruleUuid;
  }
}

function isIpv4Range(value: string): boolean {
  const [address = '', prefix = '32', ...rest] = value.split('/');
  return rest.length === 0 && isIpv4(address) && /^(\d|[12]\d|3[0-2])$/.test(prefix);
}

function ruleTexts(account: Account, cluster: string): readonly string[] {
  const rows = account.sql('SELECT doc FROM database_rules WHERE cluster = ? ORDER BY position').all(cluster);
  return rows.map((row) => String(row.doc));
}
