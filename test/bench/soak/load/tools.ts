import { randomBytes } from 'node:crypto';
import type { Question } from '../asking.ts';
import { type Field, turnOf, type Work } from './load.ts';

/** Reads of every toolset, each with what stands in its answer. */
const reads = [
  { toolset: 'account', tool: 'account-get-information', given: {}, says: '"droplet_limit"' },
  { toolset: 'insights', tool: 'uptimecheck-list', given: { PerPage: 2 }, says: '"items"' },
  { toolset: 'instances', tool: 'instance-list', given: { PerPage: 5 }, says: '"items"' },
  { toolset: 'images', tool: 'size-list', given: { PerPage: 5 }, says: '"price_monthly"' },
  { toolset: 'databases', tool: 'db-cluster-list', given: {}, says: '"items"' },
  { toolset: 'dns', tool: 'domain-list', given: {}, says: '"items"' },
  { toolset: 'traffic', tool: 'firewall-list', given: {}, says: '"items"' },
  { toolset: 'network', tool: 'reserved-ip-list', given: { Type: 'ipv4' }, says: '"items"' },
] as const;

/** A read as plain JSON, of the router. */
export function jsonRead(field: Field): Work {
  return async (n) => {
    const { tool, given, says } = turnOf(reads, n);
    await field.ask({ ...call(field, n, tool, given), says, isWarm: true });
  };
}

/** A read as plain JSON, of the function of its domain. */
export function domainRead(field: Field): Work {
  const { functions } = field.deployment.ready;
  return async (n) => {
    const { toolset, tool, given, says } = turnOf(reads, n);
    const url = `${functions[`tools/${toolset}`]}/tools/${tool}`;
    await field.ask({ ...call(field, n, tool, given), url, says, isWarm: true });
  };
}

/** What the platform's own clients read of it, past the tools. */
export function platformReads({ ask, accounts, deployment }: Field): Work {
  const paths = ['/v2/droplets?per_page=5', '/v2/account', '/v2/domains', '/v2/images?type=distribution&per_page=5', '/v2/firewalls'];
  return async (n) => {
    const headers = { authorization: `Bearer ${turnOf(accounts, n)}` };
    await ask({ url: `${deployment.ready.platform}${turnOf(paths, n)}`, headers, isWarm: true });
  };
}

/** What is made, read and deleted again: a key under an idempotency key, a domain with a record, a firewall. */
export function writes(field: Field): Work {
  const { ask } = field;
  const kinds: readonly Work[] = [
    async (n) => {
      const made = { ...call(field, n, 'key-create', { Name: `soak ${n}`, PublicKey: publicKey() }), isWarm: true };
      const headers = { ...made.headers, 'idempotency-key': `soak-${n}` };
      const { result } = await ask({ ...made, headers });
      // The same once more is the same answer, and no second key.
      await ask({ ...made, headers, says: `"id":${result.id},` });
      await ask({ ...call(field, n, 'key-delete', { ID: result.id }), says: '"done":true', isWarm: true });
    },
    async (n) => {
      const name = `soak-${n}.example`;
      await ask({ ...call(field, n, 'domain-create', { Name: name, IPAddress: '192.0.2.1' }), says: name, isWarm: true });
      const record = { Domain: name, Type: 'A', Name: 'www', Data: '192.0.2.2' };
      await ask({ ...call(field, n, 'domain-record-create', record), says: '"192.0.2.2"', isWarm: true });
      await ask({ ...call(field, n, 'domain-delete', { Name: name }), says: '"done":true', isWarm: true });
    },
    async (n) => {
      const { result } = await ask({ ...call(field, n, 'firewall-create', firewall(n)), isWarm: true });
      await ask({ ...call(field, n, 'firewall-get', { ID: result.id }), says: `"soak-${n}"`, isWarm: true });
      await ask({ ...call(field, n, 'firewall-delete', { ID: result.id }), says: '"done":true', isWarm: true });
    },
  ];
  return (n) => turnOf(kinds, n)(n);
}

/** An instance is made and waited for, and deleted again. */
export function waitedWrite(field: Field): Work {
  return async (n) => {
    const given = { Name: `soak-${n}`, Size: 's-1vcpu-1gb', ImageID: await image(field, n), Region: 'nyc3', Wait: true };
    const { result } = await field.ask({ ...call(field, n, 'instance-create', given), says: '"status":"active"' });
    await field.ask({ ...call(field, n, 'instance-delete', { ID: result.id }), says: '"done":true' });
  };
}

async function image(field: Field, n: number): Promise<number> {
  const { result } = await field.ask(call(field, n, 'image-list', { Type: 'distribution', PerPage: 1, Fields: 'id' }));
  return result.items[0].id;
}

/** A plain JSON call of the router, with the account whose turn it is. */
export function call({ accounts, deployment }: Field, n: number, tool: string, given: object): Question {
  const headers = { authorization: `Bearer ${turnOf(accounts, n)}` };
  return { url: `${deployment.ready.tools}/${tool}`, method: 'POST', headers, body: given, calls: 'project' };
}

const firewall = (n: number) => ({
  Name: `soak-${n}`,
  InboundProtocol: 'tcp',
  InboundPortRange: '443',
  InboundSource: '192.0.2.0/24',
  OutboundProtocol: 'tcp',
  OutboundPortRange: '443',
  OutboundDestination: '192.0.2.0/24',
});

/** No account takes a key twice. */
function publicKey(): string {
  const head = Buffer.from([0, 0, 0, 11, ...Buffer.from('ssh-ed25519'), 0, 0, 0, 32]);
  return `ssh-ed25519 ${Buffer.concat([head, randomBytes(32)]).toString('base64')} soak`;
}
