import { randomUUID } from 'node:crypto';
import { insightMessages } from '../../assumptions.ts';
import { notFound, unprocessable } from '../../errors.ts';
import { choice, flag, type JsonObject, onlyFields, requiredText, texts } from '../../fields.ts';
import type { Account } from '../../store/account.ts';
import { collection, type Entry } from '../../store/collection.ts';
import { type CheckRegion, checkRegions } from './regions.ts';
import { isOther, stopWatching, watchAnew, watchOn } from './watch.ts';

export const checkTypes = ['ping', 'http', 'https'] as const;

/** Something that is watched from outside. Source: the OpenAPI document, component `check`. */
export interface Check {
  readonly id: string;
  readonly name: string;
  readonly type: (typeof checkTypes)[number];
  readonly target: string;
  readonly regions: readonly CheckRegion[];
  readonly enabled: boolean;
}

/** A time during which a target was down in a region, and which is over. */
export interface Outage {
  readonly region: CheckRegion;
  readonly fromMs: number;
  readonly toMs: number;
}

export interface CheckHidden {
  readonly previousOutage: Outage | null;
}

export const checks = collection<Check, CheckHidden>({ table: 'uptime_checks', key: 'text', id: (check) => check.id });

/** Announced with a check's id when it was changed. */
export const CHECK_CHANGED = 'check.changed';

/** Makes a check; every field is needed. Errors: 422. Source: operation uptime_create_check. */
export function createCheck(account: Account, body: JsonObject): Check {
  const check: Check = { id: randomUUID(), ...parseCheck(body) };
  checks.insert(account, check, { previousOutage: null });
  watchAnew(account, check);
  return check;
}

/** Changes a check; an omitted field keeps its value. Errors: 422. Source: operation uptime_update_check. */
export function updateCheck(account: Account, { wire, hidden }: Entry<Check, CheckHidden>, body: JsonObject): Check {
  const { id, ...current } = wire;
  const changed: Check = { id, ...parseCheck({ ...current, ...body }) };
  if (isOther(wire, changed)) {
    checks.update(account, changed, { previousOutage: null });
    watchAnew(account, changed);
  } else {
    checks.update(account, changed, hidden);
    watchOn(account, wire, changed);
  }
  account.announce(CHECK_CHANGED, id);
  return changed;
}

export function removeCheck(account: Account, id: string): void {
  stopWatching(account, id);
  checks.remove(account, id);
}

/** Has no outage go beyond this moment: the clock was set back to it. */
export function cutOutages(account: Account): void {
  const beyond = "SELECT id FROM uptime_checks WHERE json_extract(hidden, '$.previousOutage.toMs') > ?";
  for (const { id } of account.sql(beyond).all(account.nowMs)) {
    const check = checks.get(account, String(id));
    const outage = check?.hidden.previousOutage;
    if (check !== undefined && outage) {
      const previousOutage = outage.fromMs < account.nowMs ? { ...outage, toMs: account.nowMs } : null;
      checks.update(account, check.wire, { ...check.hidden, previousOutage });
    }
  }
}

/** The check that a path names. Errors: 404. */
export function knownCheck(account: Account, id = ''): Entry<Check, CheckHidden> {
  const check = checks.get(account, id);
  if (check === undefined) {
    throw notFound();
  }
  return check;
}

/** The document demands `method` of a new check and describes no such field: it is taken and means nothing. */
const FIELDS = ['id', 'name', 'type', 'target', 'regions', 'enabled', 'method'];

function parseCheck(body: JsonObject): Omit<Check, 'id'> {
  onlyFields(body, FIELDS);
  const type = choice(body, 'type', checkTypes);
  if (typeof body.enabled !== 'boolean') {
    throw unprocessable('enabled must be true or false.');
  }
  return {
    name: requiredText(body, 'name'),
    type,
    target: parseTarget(type, requiredText(body, 'target')),
    regions: parseRegions(texts(body, 'regions')),
    enabled: flag(body, 'enabled'),
  };
}

function parseTarget(type: Check['type'], target: string): string {
  if (type === 'ping') {
    if (!isHost(target)) {
      throw unprocessable(insightMessages.checkPing);
    }
    return target;
  }
  if (!/^https?:\/\/\S+$/i.test(target) || !URL.canParse(target) || new URL(target).protocol !== `${type}:`) {
    throw unprocessable(insightMessages.checkHttp);
  }
  return target;
}

/** Whether a text is a host name or an address, by whether it can stand for one in a URL. */
function isHost(text: string): boolean {
  const host = text.includes(':') ? `[${text}]` : text;
  return /^[a-z0-9.:-]+$/i.test(text) && !/^[-.]|\.\.|-$/.test(text) && URL.canParse(`http://${host}/`);
}

function parseRegions(given: readonly string[]): readonly CheckRegion[] {
  const regions = given.flatMap((text) => checkRegions.find((region) => region === text) ?? []);
  if (regions.length === 0 || regions.length !== given.length || new Set(regions).size !== regions.length) {
    throw unprocessable(insightMessages.checkRegions);
  }
  return regions;
}
