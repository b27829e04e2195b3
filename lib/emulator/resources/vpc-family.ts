import { messages, networkMessages } from '../assumptions.ts';
import { findRegion } from '../catalogue/regions.ts';
import { conflict, forbidden, unprocessable } from '../errors.ts';
import { flag, type JsonObject, onlyFields, optionalText, requiredText } from '../fields.ts';
import { listReply } from '../paging.ts';
import type { Account } from '../store/account.ts';
import { addressTables, dropPool } from './addresses.ts';
import { type Family, type PlatformRequest, route } from './family.ts';
import { memberSource, memberTotal, vpcMemberTables } from './vpc-members.ts';
import { peeredVpcTables, peeringTotal, vpcPlace } from './vpc-peerings/places.ts';
import { becomeDefault, createVpc, knownVpc, type Vpc, vpcNamed, vpcs } from './vpcs.ts';

/** VPCs and their members. Source: operations vpcs_*. */
export const vpcFamily: Family = {
  tables: [...vpcs.tables, ...vpcMemberTables, ...peeredVpcTables, ...addressTables],
  routes: [
    route('GET /v2/vpcs', {}, (request, account) => listReply(request, 'vpcs', vpcs.source(account))),
    route('POST /v2/vpcs', { status: 201 }, ({ body }, account) => {
      onlyFields(body, ['name', 'description', 'region', 'ip_range', 'default']);
      const region = requiredText(body, 'region');
      if (findRegion(region)?.available !== true) {
        throw unprocessable(messages.regionUnavailable);
      }
      const name = nameOf(account, body);
      const range = optionalText(body, 'ip_range');
      return { vpc: createVpc(account, { name, region, description: descriptionOf(body), range, makeDefault: flag(body, 'default') }) };
    }),
    route('GET /v2/vpcs/{vpc}', {}, ({ params }, account) => ({ vpc: knownVpc(account, params.vpc) })),
    route('PUT /v2/vpcs/{vpc}', {}, (request, account) => {
      requiredText(request.body, 'name');
      return changeVpc(request, account, { description: '', ...request.body });
    }),
    route('PATCH /v2/vpcs/{vpc}', {}, (request, account) => changeVpc(request, account, request.body)),
    route('DELETE /v2/vpcs/{vpc}', { status: 204 }, ({ params }, account) => {
      const vpc = knownVpc(account, params.vpc);
      if (vpc.default) {
        throw forbidden(messages.vpcDefault);
      }
      if (memberTotal(account, vpc.id) > 0) {
        throw conflict('Can not delete VPC with members');
      }
      if (peeringTotal(account, vpcPlace(vpc.id)) > 0) {
        throw conflict(networkMessages.vpcPeered);
      }
      vpcs.remove(account, vpc.id);
      dropPool(account, vpc.id);
      return undefined;
    }),
    route('GET /v2/vpcs/{vpc}/members', {}, (request, account) => {
      const vpc = knownVpc(account, request.params.vpc);
      return listReply(request, 'members', memberSource(account, vpc.id, request.query.get('resource_type')));
    }),
  ],
};

const FIXED_FIELDS = ['id', 'urn', 'region', 'ip_range', 'created_at'] as const;

/** Changes what `changes` names. What a VPC is born with may be sent back as it is. */
function changeVpc({ params, body }: PlatformRequest, account: Account, changes: JsonObject): object {
  const vpc = knownVpc(account, params.vpc);
  onlyFields(body, ['name', 'description', 'default', ...FIXED_FIELDS]);
  const moved = FIXED_FIELDS.find((name) => body[name] !== undefined && body[name] !== vpc[name]);
  if (moved !== undefined) {
    throw unprocessable(`The ${moved} of a VPC can not be changed.`);
  }
  if (vpc.default && !flag(changes, 'default', true)) {
    throw unprocessable(networkMessages.vpcStaysDefault);
  }
  const name = changes.name === undefined ? vpc.name : nameOf(account, changes, vpc.id);
  const description = changes.description === undefined ? vpc.description : descriptionOf(changes);
  const changed: Vpc = { ...vpc, name, description };
  vpcs.update(account, changed, null);
  return { vpc: flag(changes, 'default') ? becomeDefault(account, changed) : changed };
}

function nameOf(account: Account, body: JsonObject, id?: string): string {
  const name = requiredText(body, 'name');
  const taken = vpcNamed(account, name);
  if ((taken !== undefined && taken.id !== id) || !/^[a-zA-Z0-9\-.]+$/.test(name)) {
    throw unprocessable(messages.vpcName);
  }
  return name;
}

function descriptionOf(body: JsonObject): string {
  const description = optionalText(body, 'description') ?? '';
  if ([...description].length > 255) {
    throw unprocessable(messages.vpcDescription);
  }
  return description;
}
