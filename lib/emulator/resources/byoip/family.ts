import { networkMessages } from '../../assumptions.ts';
import { unprocessable } from '../../errors.ts';
import { onlyFields } from '../../fields.ts';
import { listReply } from '../../paging.ts';
import type { Account } from '../../store/account.ts';
import type { Source } from '../../store/collection.ts';
import { type Family, route } from '../family.ts';
import { assignedFrom, inUseFrom, type ReservedIp, reservedIps } from '../reserved-ips/ipv4.ts';
import {
  advertise,
  createPrefix,
  deletePrefix,
  finishAdvertising,
  finishDeletion,
  finishValidation,
  knownPrefix,
  prefixes,
} from './prefixes.ts';

/** Networks that the account brings, and their addresses that instances have. Source: operations byoipPrefixes_*. */
export const byoipFamily: Family = {
  tables: prefixes.tables,
  routes: [
    route('GET /v2/byoip_prefixes', {}, (request, account) => listReply(request, 'byoip_prefixes', prefixes.source(account))),
    route('POST /v2/byoip_prefixes', { status: 202 }, ({ body }, account) => {
      const { uuid, region, status } = createPrefix(account, body);
      return { byoip_prefix: { uuid, region, status } };
    }),
    route('GET /v2/byoip_prefixes/{prefix}', {}, ({ params }, account) => ({ byoip_prefix: knownPrefix(account, params.prefix).wire })),
    route('PATCH /v2/byoip_prefixes/{prefix}', { status: 202 }, ({ params, body }, account) => {
      const prefix = knownPrefix(account, params.prefix);
      onlyFields(body, ['advertise']);
      if (typeof body.advertise !== 'boolean') {
        throw unprocessable('advertise must be true or false.');
      }
      return { byoip_prefix: advertise(account, prefix, body.advertise) };
    }),
    route('DELETE /v2/byoip_prefixes/{prefix}', { status: 202 }, ({ params }, account) => {
      const prefix = knownPrefix(account, params.prefix);
      if (inUseFrom(account, prefix.wire.uuid)) {
        throw unprocessable(networkMessages.prefixInUse);
      }
      deletePrefix(account, prefix);
      return undefined;
    }),
    route('GET /v2/byoip_prefixes/{prefix}/ips', {}, (request, account) =>
      listReply(request, 'ips', resourcesOf(account, knownPrefix(account, request.params.prefix).wire.uuid)),
    ),
  ],
  due: { 'byoip.validated': finishValidation, 'byoip.advertised': finishAdvertising, 'byoip.deleted': finishDeletion },
};

/** Source: the OpenAPI document, component `byoip_prefix_resource`; by its example `byoip` is the address. */
function resourcesOf(account: Account, prefix: string): Source {
  const source = assignedFrom(account, prefix);
  return {
    total: source.total,
    texts: (limit, offset) =>
      source.texts(limit, offset).map((text) => {
        const { ip }: ReservedIp = JSON.parse(text);
        const hidden = reservedIps.get(account, ip)?.hidden;
        return JSON.stringify({
          id: hidden?.resourceId,
          byoip: ip,
          region: hidden?.region,
          resource: `do:droplet:${hidden?.dropletId}`,
          assigned_at: hidden?.assignedAt,
        });
      }),
  };
}
