import { trafficMessages } from '../../assumptions.ts';
import { unprocessable } from '../../errors.ts';
import { integerIds, type JsonObject, objects, onlyFields } from '../../fields.ts';
import { listReply } from '../../paging.ts';
import type { Account } from '../../store/account.ts';
import { type Family, type Handler, route } from '../family.ts';
import { certificatesOf, checkRules, forwardsSame, parseRule } from './forwarding-rules.ts';
import { managedStill } from './global.ts';
import { ACTIVATE, activate, amendBalancer, createBalancer, removeBalancer, replaceBalancer, SETTLE, settle } from './lifecycle.ts';
import {
  type BalancerEntry,
  balancerLinkTables,
  balancerText,
  idleBalancer,
  knownBalancer,
  linkedBalancers,
  loadBalancers,
  saveBalancer,
} from './load-balancers.ts';
import { refuseForeignDroplets } from './order.ts';

/** Load balancers. Source: operations loadBalancers_*. */
export const loadBalancerFamily: Family = {
  tables: [...loadBalancers.tables, ...balancerLinkTables],
  routes: [
    route('GET /v2/load_balancers', {}, (request, account) => listReply(request, 'load_balancers', loadBalancers.source(account))),
    route('POST /v2/load_balancers', { status: 202 }, ({ body }, account) => balancerText(account, createBalancer(account, body))),
    route('GET /v2/load_balancers/{balancer}', {}, ({ params }, account) =>
      balancerText(account, knownBalancer(account, params.balancer).wire.id),
    ),
    route('PUT /v2/load_balancers/{balancer}', {}, ({ params, body }, account) => {
      const before = idleBalancer(account, params.balancer);
      replaceBalancer(account, before, body);
      return balancerText(account, before.wire.id);
    }),
    route('DELETE /v2/load_balancers/{balancer}', { status: 204 }, ({ params }, account) => {
      removeBalancer(account, knownBalancer(account, params.balancer));
      return undefined;
    }),
    route('DELETE /v2/load_balancers/{balancer}/cache', { status: 204 }, ({ params }, account) => {
      if (knownBalancer(account, params.balancer).wire.glb_settings?.cdn.is_enabled !== true) {
        throw unprocessable(trafficMessages.noCache);
      }
      return undefined;
    }),
    route('POST /v2/load_balancers/{balancer}/droplets', { status: 204 }, changing(['droplet_ids'], addDroplets)),
    route('DELETE /v2/load_balancers/{balancer}/droplets', { status: 204 }, changing(['droplet_ids'], removeDroplets)),
    route('POST /v2/load_balancers/{balancer}/forwarding_rules', { status: 204 }, changing(['forwarding_rules'], addRules)),
    route('DELETE /v2/load_balancers/{balancer}/forwarding_rules', { status: 204 }, changing(['forwarding_rules'], removeRules)),
  ],
  due: { [ACTIVATE]: activate, [SETTLE]: settle },
  on: {
    'droplet.deleted': (account, id) => {
      for (const balancer of linkedBalancers(account, 'droplet', id)) {
        const left = balancer.hidden.dropletIds.filter((dropletId) => String(dropletId) !== id);
        loadBalancers.update(account, balancer.wire, { ...balancer.hidden, dropletIds: left });
      }
      account.run("DELETE FROM load_balancer_links WHERE kind = 'droplet' AND ref = ?", id);
    },
    'domain.deleted': (account, zone) => {
      for (const balancer of linkedBalancers(account, 'domain', zone)) {
        const domains = managedStill(account, balancer.wire.domains);
        saveBalancer(account, { ...balancer, wire: { ...balancer.wire, domains } }, balancer);
      }
    },
    'tag.deleted': (account, tag) => {
      for (const { wire, hidden } of loadBalancers.where(account, 'tag', tag)) {
        loadBalancers.update(account, { ...wire, tag: '' }, hidden);
      }
    },
  },
};

/** A route that changes a part of an idle load balancer. */
function changing(fields: readonly string[], change: (account: Account, before: BalancerEntry, body: JsonObject) => void): Handler {
  return ({ params, body }, account) => {
    const before = idleBalancer(account, params.balancer);
    onlyFields(body, fields);
    change(account, before, body);
    return undefined;
  };
}

function addDroplets(account: Account, before: BalancerEntry, body: JsonObject): void {
  const added = namedDroplets(before, body);
  refuseForeignDroplets(account, added, { region: before.hidden.region, ...before.wire });
  amendBalancer(account, before, {}, [...new Set([...before.hidden.dropletIds, ...added])]);
}

function removeDroplets(account: Account, before: BalancerEntry, body: JsonObject): void {
  const removed = namedDroplets(before, body);
  amendBalancer(
    account,
    before,
    {},
    before.hidden.dropletIds.filter((id) => !removed.includes(id)),
  );
}

function namedDroplets({ wire }: BalancerEntry, body: JsonObject): readonly number[] {
  if (wire.tag !== '') {
    throw unprocessable(trafficMessages.taggedDroplets);
  }
  const ids = integerIds(body, 'droplet_ids');
  if (ids.length === 0) {
    throw unprocessable(trafficMessages.noDroplets);
  }
  return ids;
}

function addRules(account: Account, before: BalancerEntry, body: JsonObject): void {
  const added = namedRules(before, body);
  const forwarding_rules = [...before.wire.forwarding_rules, ...added];
  checkRules(account, forwarding_rules, before.wire.type, added);
  amendBalancer(account, before, { forwarding_rules });
  if (certificatesOf(added).length > 0) {
    settle(account, before.wire.id);
  }
}

/** A rule that is not there is as removed as one that was. */
function removeRules(account: Account, before: BalancerEntry, body: JsonObject): void {
  const removed = namedRules(before, body);
  const forwarding_rules = before.wire.forwarding_rules.filter((rule) => !removed.some((other) => forwardsSame(rule, other)));
  if (forwarding_rules.length === 0) {
    throw unprocessable(trafficMessages.lastRule);
  }
  amendBalancer(account, before, { forwarding_rules });
}

function namedRules({ wire }: BalancerEntry, body: JsonObject) {
  if (wire.type === 'GLOBAL') {
    throw unprocessable(trafficMessages.globalRules);
  }
  const rules = objects(body, 'forwarding_rules').map(parseRule);
  if (rules.length === 0) {
    throw unprocessable(trafficMessages.rulesRequired);
  }
  return rules;
}
