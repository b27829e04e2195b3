import { listReply } from '../../paging.ts';
import { type Family, route } from '../family.ts';
import { createPolicy, forgetEntity, forgetTag, knownPolicy, policies, removePolicy, replacePolicy } from './policies.ts';
import { policyReferenceTables } from './references.ts';

/** Alert policies: when people are told of a measure. Source: operations monitoring_*_alertPolicy. */
export const alertPolicyFamily: Family = {
  tables: [...policies.tables, ...policyReferenceTables],
  routes: [
    route('GET /v2/monitoring/alerts', {}, (request, account) => listReply(request, 'policies', policies.source(account))),
    route('POST /v2/monitoring/alerts', {}, ({ body }, account) => ({ policy: createPolicy(account, body) })),
    route('GET /v2/monitoring/alerts/{policy}', {}, ({ params }, account) => ({ policy: knownPolicy(account, params.policy) })),
    route('PUT /v2/monitoring/alerts/{policy}', {}, ({ params, body }, account) => ({
      policy: replacePolicy(account, knownPolicy(account, params.policy), body),
    })),
    route('DELETE /v2/monitoring/alerts/{policy}', { status: 204 }, ({ params }, account) => {
      removePolicy(account, knownPolicy(account, params.policy));
      return undefined;
    }),
  ],
  on: {
    'droplet.deleted': (account, id) => forgetEntity(account, 'droplet', id),
    'load-balancer.deleted': (account, id) => forgetEntity(account, 'load balancer', id),
    'database.deleted': (account, id) => forgetEntity(account, 'database', id),
    'tag.deleted': forgetTag,
  },
};
