import { describe, expect, it } from 'vitest';
import { gateway } from '../support/gateway.ts';
import { json, scriptedPlatform } from '../support/platform.ts';
import { exampleOf } from './cases/every-case.ts';

const record = { Domain: 'example.com', Type: 'CNAME', Name: 'www', Data: 'example.com' };

/** What the platform says to a call, in the words it was seen to use, and the first call that is named as a way out. */
const refusals: readonly (readonly [tool: string, given: object, status: number, message: string, next: string])[] = [
  ['uptimecheck-get', {}, 404, 'The resource you requested could not be found.', 'uptimecheck-list'],
  ['uptimecheck-alert-get', {}, 404, 'The resource you requested could not be found.', 'uptimecheck-alert-list'],
  ['alert-policy-delete', {}, 404, 'The resource you requested could not be found.', 'alert-policy-list'],
  ['db-cluster-create', {}, 422, 'cluster name is not available', 'db-cluster-list'],
  ['db-cluster-create', {}, 422, 'invalid node count', 'db-cluster-list-options'],
  ['db-cluster-upgrade-major-version', {}, 412, 'cluster is not available', 'db-cluster-get'],
  ['db-cluster-get-user', {}, 404, 'user not found', 'db-cluster-list-users'],
  ['db-cluster-stop-online-migration', {}, 404, 'not found', 'db-cluster-get-migration'],
  ['domain-create', {}, 422, 'Name already exists', 'domain-get'],
  ['domain-record-create', record, 422, 'CNAME records cannot share a name with other records', 'domain-record-list'],
  ['acme-certificate-create', {}, 422, 'domain example.com is not managed by this account', 'domain-list'],
  ['certificate-delete', {}, 403, 'certificate is used by a load balancer', 'load-balancer-list'],
  ['firewall-create', {}, 409, 'duplicate name', 'firewall-list'],
  ['firewall-add-tags', {}, 422, 'tag web does not exist', 'firewall-get'],
  ['load-balancer-create', {}, 422, 'droplets are not in the region', 'instance-list'],
  ['load-balancer-delete', {}, 404, 'not found', 'load-balancer-list'],
  ['load-balancer-delete-cache', {}, 422, 'Only a global load balancer has a cache.', 'load-balancer-get'],
  ['reserved-ip-assign', {}, 422, 'Droplet already has a pending event.', 'instance-get'],
  ['reserved-ip-release', {}, 404, 'not found', 'reserved-ip-list'],
  ['reserved-ip-release', {}, 422, 'The address is assigned to a droplet.', 'reserved-ip-unassign'],
  ['vpc-create', {}, 422, 'This range/size overlaps with another VPC network in your account', 'vpc-list'],
  ['vpc-delete', {}, 409, 'Can not delete VPC with members', 'vpc-list-members'],
  ['byoip-prefix-delete', {}, 422, 'some addresses are still assigned', 'byoip-prefix-resources-get'],
];

async function errorOf(tool: string, given: object, status: number, message: string) {
  const platform = await scriptedPlatform((response) => json(response, status, { id: 'refused', message }));
  const request = gateway({ PLATFORM_API_URL: platform.url });
  return (await request('POST', `/tools/${tool}`, { body: { ...exampleOf(tool), ...given } })).json.error;
}

describe('a refusal of the platform names the call that leads out', () => {
  it.each(refusals)('%s %j: %i %s', async (tool, given, status, message, next) => {
    const error = await errorOf(tool, given, status, message);
    expect(error.platform).toMatchObject({ status, message });
    expect(error.next[0]).toMatchObject({ tool: next });
  });

  it('which is the same call with the dot that a host name lacks', async () => {
    const error = await errorOf('domain-record-create', record, 422, 'Data needs to end with a dot (.)');
    expect(error.next).toEqual([{ tool: 'domain-record-create', arguments: { ...record, Data: 'example.com.' } }]);
  });

  it('which has the dot inside the quotes', async () => {
    const quoted = { ...record, Type: 'CAA', Data: '0 issue "ca.example.net"' };
    const error = await errorOf('domain-record-create', quoted, 422, 'Data needs to end with a dot (.)');
    expect(error.next).toEqual([{ tool: 'domain-record-create', arguments: { ...quoted, Data: '0 issue "ca.example.net."' } }]);
  });
});

describe('a write that may have happened names the calls that tell', () => {
  const lost: readonly (readonly [tool: string, next: readonly string[]])[] = [
    ['instance-create', ['instance-list']],
    ['instance-reboot', ['action-list', 'instance-get']],
    ['power-off-instances-tag', ['action-list', 'instance-list']],
    ['image-action-transfer', ['action-list', 'image-get']],
    ['load-balancer-delete-cache', ['load-balancer-delete-cache']],
  ];
  const namesOf = (error: { next: readonly { tool: string }[] }) => error.next.map(({ tool }) => tool);

  it.each(lost)('%s, whose answer is lost: %j', async (tool, next) => {
    const platform = await scriptedPlatform((response) => response.destroy());
    const { error } = (await gateway({ PLATFORM_API_URL: platform.url })('POST', `/tools/${tool}`, { body: exampleOf(tool) })).json;
    expect({ code: error.code, next: namesOf(error) }).toEqual({ code: 'outcome_unknown', next });
  });

  it.each([
    ['the platform fails', 500, '{"id": "server_error", "message": "Unexpected"}'],
    ['the answer to it is no JSON', 200, '<html></html>'],
  ])('when %s', async (_, status, text) => {
    const platform = await scriptedPlatform((response) => response.writeHead(status, { 'content-type': 'application/json' }).end(text));
    const { error } = (await gateway({ PLATFORM_API_URL: platform.url })('POST', '/tools/key-create', { body: exampleOf('key-create') }))
      .json;
    expect({ code: error.code, next: namesOf(error) }).toEqual({ code: 'platform_error', next: ['key-list'] });
  });
});
