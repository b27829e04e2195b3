import { listReply } from '../../paging.ts';
import type { Account } from '../../store/account.ts';
import { actionOfReply, actionsOfReply, actionText } from '../actions.ts';
import { type Family, type PlatformRequest, route } from '../family.ts';
import { abandonDroplet, beginMove, finishMove, parseMove } from './assign.ts';
import { refusePendingAddress } from './holding.ts';
import { ipv4Kind, knownIpv4, releaseIpv4, reservedIps } from './ipv4.ts';
import { ipv6Kind, knownIpv6, releaseIpv6, reservedIpv6s } from './ipv6.ts';
import { addressForAction, finishReservation, reserveIpv4, reserveIpv6 } from './reserve.ts';

/** Reserved addresses of both kinds and their actions. Source: operations reservedIPs_*, reservedIPsActions_*, reservedIPv6_*, reservedIPv6Actions_*. */
export const reservedIpFamily: Family = {
  tables: [...reservedIps.tables, ...reservedIpv6s.tables],
  routes: [
    route('GET /v2/reserved_ips', {}, (request, account) => listReply(request, 'reserved_ips', reservedIps.source(account))),
    route('POST /v2/reserved_ips', { status: 202 }, reserve),
    route('GET /v2/reserved_ips/{ip}', {}, ({ params }, account) => ipv4Reply(account, knownIpv4(account, params.ip).wire.ip)),
    route('DELETE /v2/reserved_ips/{ip}', { status: 204 }, ({ params }, account) => {
      const address = knownIpv4(account, params.ip);
      refusePendingAddress(address);
      releaseIpv4(account, address);
      return undefined;
    }),
    route('POST /v2/reserved_ips/{ip}/actions', { status: 201 }, ({ params, body }, account) => {
      const address = addressForAction(account, params.ip);
      const action = beginMove(account, ipv4Kind, address, parseMove(body));
      return `{"action":${actionText(action).slice(0, -1)},"project_id":${JSON.stringify(address.wire.project_id)}}}`;
    }),
    route('GET /v2/reserved_ips/{ip}/actions', {}, (request, account) =>
      actionsOfReply(request, account, 'reserved_ip', knownIpv4(account, request.params.ip).hidden.resourceId),
    ),
    route('GET /v2/reserved_ips/{ip}/actions/{action}', {}, (request, account) =>
      actionOfReply(request, account, 'reserved_ip', knownIpv4(account, request.params.ip).hidden.resourceId),
    ),

    route('GET /v2/reserved_ipv6', {}, (request, account) => listReply(request, 'reserved_ipv6s', reservedIpv6s.source(account))),
    route('POST /v2/reserved_ipv6', { status: 201 }, ({ body }, account) => ipv6Reply(account, reserveIpv6(account, body))),
    route('GET /v2/reserved_ipv6/{ip}', {}, ({ params }, account) => ipv6Reply(account, knownIpv6(account, params.ip).wire.ip)),
    route('DELETE /v2/reserved_ipv6/{ip}', { status: 204 }, ({ params }, account) => {
      const address = knownIpv6(account, params.ip);
      refusePendingAddress(address);
      releaseIpv6(account, address);
      return undefined;
    }),
    route('POST /v2/reserved_ipv6/{ip}/actions', { status: 201 }, ({ params, body }, account) => {
      const action = beginMove(account, ipv6Kind, knownIpv6(account, params.ip), parseMove(body));
      return `{"action":${actionText(action)}}`;
    }),
  ],
  due: {
    'reserved-ip.reserved': finishReservation,
    [ipv4Kind.due]: (account, _ref, data) => finishMove(account, ipv4Kind, data),
    [ipv6Kind.due]: (account, _ref, data) => finishMove(account, ipv6Kind, data),
  },
  on: {
    'droplet.deleted': (account, id) => {
      abandonDroplet(account, ipv4Kind, Number(id));
      abandonDroplet(account, ipv6Kind, Number(id));
    },
  },
};

function reserve({ body, origin }: PlatformRequest, account: Account): string {
  const { ip, dropletId, action } = reserveIpv4(account, body);
  const links =
    action === null
      ? {}
      : {
          droplets: [{ id: dropletId, rel: 'droplet', href: `${origin}/v2/droplets/${dropletId}` }],
          actions: [{ id: action.id, rel: action.type, href: `${origin}/v2/actions/${action.id}` }],
        };
  return `{"reserved_ip":${reservedIps.text(account, ip)},"links":${JSON.stringify(links)}}`;
}

function ipv4Reply(account: Account, ip: string): string {
  return `{"reserved_ip":${reservedIps.text(account, ip)}}`;
}

function ipv6Reply(account: Account, ip: string): string {
  return `{"reserved_ipv6":${reservedIpv6s.text(account, ip)}}`;
}
