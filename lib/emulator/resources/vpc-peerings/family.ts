import { notFound } from '../../errors.ts';
import { onlyFields, requiredText } from '../../fields.ts';
import { listReply } from '../../paging.ts';
import type { Account } from '../../store/account.ts';
import type { Source } from '../../store/collection.ts';
import { type Family, route } from '../family.ts';
import { knownVpc } from '../vpcs.ts';
import {
  createPeering,
  deletePeering,
  finishDeletion,
  finishProvisioning,
  knownPeering,
  peerings,
  renamePeering,
  vpcIdsOf,
} from './peerings.ts';
import { PEERINGS_AT, peeringTotal, regionPlace, vpcPlace } from './places.ts';

/** Peerings of VPCs, as a list of their own and under each VPC. Source: operations vpcPeerings_* and vpcs_*_peerings. */
export const vpcPeeringFamily: Family = {
  tables: peerings.tables,
  routes: [
    route('GET /v2/vpc_peerings', {}, (request, account) => {
      const region = request.query.get('region');
      return listReply(request, 'vpc_peerings', region === null ? peerings.source(account) : sourceAt(account, regionPlace(region)));
    }),
    route('POST /v2/vpc_peerings', { status: 202 }, ({ body }, account) => {
      onlyFields(body, ['name', 'vpc_ids']);
      return { vpc_peering: createPeering(account, requiredText(body, 'name'), vpcIdsOf(body)) };
    }),
    route('GET /v2/vpc_peerings/{peering}', {}, ({ params }, account) => ({ vpc_peering: knownPeering(account, params.peering).wire })),
    route('PATCH /v2/vpc_peerings/{peering}', {}, ({ params, body }, account) => {
      onlyFields(body, ['name']);
      return { vpc_peering: renamePeering(account, knownPeering(account, params.peering), body) };
    }),
    route('DELETE /v2/vpc_peerings/{peering}', { status: 202 }, ({ params }, account) => ({
      vpc_peering: deletePeering(account, knownPeering(account, params.peering)),
    })),
    route('GET /v2/vpcs/{vpc}/peerings', {}, (request, account) => {
      const vpc = knownVpc(account, request.params.vpc);
      return listReply(request, 'peerings', sourceAt(account, vpcPlace(vpc.id)));
    }),
    route('POST /v2/vpcs/{vpc}/peerings', { status: 202 }, ({ params, body }, account) => {
      const vpc = knownVpc(account, params.vpc);
      onlyFields(body, ['name', 'vpc_id']);
      return { peering: createPeering(account, requiredText(body, 'name'), [vpc.id, requiredText(body, 'vpc_id')]) };
    }),
    route('PATCH /v2/vpcs/{vpc}/peerings/{peering}', {}, ({ params, body }, account) => {
      const vpc = knownVpc(account, params.vpc);
      const peering = knownPeering(account, params.peering);
      if (!peering.wire.vpc_ids.includes(vpc.id)) {
        throw notFound();
      }
      onlyFields(body, ['name']);
      return { peering: renamePeering(account, peering, body) };
    }),
  ],
  due: { 'vpc-peering.provisioned': finishProvisioning, 'vpc-peering.deleted': finishDeletion },
};

function sourceAt(account: Account, place: string): Source {
  return peerings.sourceOf(account, peeringTotal(account, place), PEERINGS_AT, place);
}
