import { randomUUID } from 'node:crypto';
import { firewallLimits, trafficMessages } from '../../assumptions.ts';
import { timestamp } from '../../calendar.ts';
import { conflict, unprocessable } from '../../errors.ts';
import { integerIds, type JsonObject, onlyFields, requiredText, texts } from '../../fields.ts';
import { listReply } from '../../paging.ts';
import type { Account } from '../../store/account.ts';
import type { Listener } from '../../store/machinery.ts';
import { knownDroplet } from '../droplets/droplets.ts';
import { type Family, type Handler, route } from '../family.ts';
import { APPLY, applyDue, changeTables, dropChanges, openFirst } from './changes.ts';
import { coverAgain, coverageTables, coverDroplet, dropCoverage, dropDroplet, firewallsOfDroplet, refreshDroplets } from './coverage.ts';
import {
  type Firewall,
  firewallLinkTables,
  firewalls,
  forget,
  insertFirewall,
  knownFirewall,
  removeFirewall,
  updateFirewall,
} from './firewalls.ts';
import { addRules, parseRules, type Rules, refuseUnknownDroplets, refuseUnknownTags, refuseUnknownTargets, withoutRules } from './rules.ts';

/** Firewalls, and those of a droplet. Source: operations firewalls_* and droplets_list_firewalls. */
export const firewallFamily: Family = {
  tables: [...firewalls.tables, ...firewallLinkTables, ...coverageTables, ...changeTables],
  routes: [
    route('GET /v2/firewalls', {}, (request, account) => listReply(request, 'firewalls', firewalls.source(account))),
    route('POST /v2/firewalls', { status: 202 }, ({ body }, account) => shown(account, createFirewall(account, body))),
    route('GET /v2/firewalls/{firewall}', {}, ({ params }, account) => shown(account, knownFirewall(account, params.firewall).id)),
    route('DELETE /v2/firewalls/{firewall}', { status: 204 }, ({ params }, account) => {
      const firewall = knownFirewall(account, params.firewall);
      removeFirewall(account, firewall);
      dropCoverage(account, firewall.id);
      dropChanges(account, firewall.id);
      return undefined;
    }),
    route('POST /v2/firewalls/{firewall}/droplets', { status: 204 }, changing('droplet_ids', addDroplets)),
    route('DELETE /v2/firewalls/{firewall}/droplets', { status: 204 }, changing('droplet_ids', removeDroplets)),
    route('POST /v2/firewalls/{firewall}/tags', { status: 204 }, changing('tags', addTags)),
    route('DELETE /v2/firewalls/{firewall}/tags', { status: 204 }, changing('tags', removeTags)),
    route('POST /v2/firewalls/{firewall}/rules', { status: 204 }, changingRules(addKnownRules)),
    route(
      'DELETE /v2/firewalls/{firewall}/rules',
      { status: 204 },
      changingRules((_account, before, removed) => withoutRules(before, removed)),
    ),
    route('GET /v2/droplets/{droplet}/firewalls', {}, (request, account) => {
      const { wire } = knownDroplet(account, request.params.droplet);
      return listReply(request, 'firewalls', firewallsOfDroplet(account, wire.id));
    }),
  ],
  due: { [APPLY]: apply },
  on: {
    'droplet.created': whereAnyIs((account, id) => coverDroplet(account, Number(id))),
    'droplet.tags-changed': whereAnyIs((account, id) => coverDroplet(account, Number(id))),
    'droplet.deleted': whereAnyIs((account, id) => {
      dropDroplet(account, Number(id));
      forget(account, ['droplet', 'rule-droplet'], id);
    }),
    'tag.deleted': whereAnyIs((account, tag) => forget(account, ['tag', 'rule-tag'], tag)),
    'load-balancer.deleted': whereAnyIs((account, id) => forget(account, ['rule-balancer'], id)),
  },
};

/** Listens in accounts that have a firewall; what others do costs nothing here. */
function whereAnyIs(listener: Listener): Listener {
  return (account, ref) => {
    if (firewalls.total(account) > 0) {
      listener(account, ref);
    }
  };
}

const FIELDS = ['id', 'status', 'created_at', 'pending_changes', 'name', 'droplet_ids', 'tags', 'inbound_rules', 'outbound_rules'];

/** Stores a firewall, whose first application is pending. Source: operation firewalls_create. */
export function createFirewall(account: Account, body: JsonObject): string {
  onlyFields(body, FIELDS);
  const name = requiredText(body, 'name');
  if (!/^[a-zA-Z0-9][a-zA-Z0-9.-]{1,254}$/.test(name)) {
    throw unprocessable(trafficMessages.firewallName);
  }
  const empty = { inbound_rules: [], outbound_rules: [], droplet_ids: [], tags: [] };
  const bare: Firewall = { id: randomUUID(), name, created_at: timestamp(account.nowMs), ...empty };
  const rules = parseRules(body);
  refuseUnknownTargets(account, rules);
  const firewall = addTags(account, addDroplets(account, { ...bare, ...rules }, body), body);
  if (firewalls.where(account, 'name', name).some(({ wire }) => wire.name === name)) {
    // Source: the message that the platform's users quote.
    throw conflict('duplicate name');
  }
  insertFirewall(account, firewall);
  openFirst(account, firewall.id);
  coverAgain(account, firewall);
  return firewall.id;
}

function shown(account: Account, id: string): string {
  return `{"firewall":${firewalls.text(account, id)}}`;
}

function apply(account: Account, id: string): void {
  const firewall = firewalls.get(account, id);
  if (firewall !== undefined && applyDue(account, id)) {
    firewalls.update(account, firewall.wire, { failed: account.faults.spoilsAction('firewall', 0) });
  }
}

type Change = (account: Account, before: Firewall, body: JsonObject) => Firewall;

/** A route that changes what a firewall protects; what is there already, or not there to be removed, changes nothing. */
function changing(field: string, change: Change): Handler {
  return ({ params, body }, account) => {
    const before = knownFirewall(account, params.firewall);
    onlyFields(body, [field]);
    if (body[field] === undefined) {
      throw unprocessable(`${field} is required.`);
    }
    const after = change(account, before, body);
    updateFirewall(account, before, after);
    coverAgain(account, after);
    return undefined;
  };
}

function changingRules(change: (account: Account, before: Rules, given: Rules) => Rules): Handler {
  return ({ params, body }, account) => {
    const before = knownFirewall(account, params.firewall);
    onlyFields(body, ['inbound_rules', 'outbound_rules']);
    const after = { ...before, ...change(account, before, parseRules(body)) };
    if (JSON.stringify(after) !== JSON.stringify(before)) {
      updateFirewall(account, before, after);
      refreshDroplets(account, before.id);
    }
    return undefined;
  };
}

function addKnownRules(account: Account, before: Rules, added: Rules): Rules {
  refuseUnknownTargets(account, added);
  return addRules(before, added);
}

function addDroplets(account: Account, before: Firewall, body: JsonObject): Firewall {
  const added = integerIds(body, 'droplet_ids');
  refuseUnknownDroplets(account, added);
  const droplet_ids = [...new Set([...before.droplet_ids, ...added])];
  if (droplet_ids.length > firewallLimits.droplets) {
    throw unprocessable(trafficMessages.tooManyDroplets);
  }
  return { ...before, droplet_ids };
}

function removeDroplets(_account: Account, before: Firewall, body: JsonObject): Firewall {
  const removed = integerIds(body, 'droplet_ids');
  return { ...before, droplet_ids: before.droplet_ids.filter((id) => !removed.includes(id)) };
}

function addTags(account: Account, before: Firewall, body: JsonObject): Firewall {
  const added = texts(body, 'tags');
  refuseUnknownTags(account, added);
  const tags = [...new Set([...before.tags, ...added])];
  if (tags.length > firewallLimits.tags) {
    throw unprocessable(trafficMessages.tooManyTags);
  }
  return { ...before, tags };
}

function removeTags(_account: Account, before: Firewall, body: JsonObject): Firewall {
  const removed = texts(body, 'tags');
  return { ...before, tags: before.tags.filter((tag) => !removed.includes(tag)) };
}
