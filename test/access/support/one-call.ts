import { gateway } from '../../support/gateway.ts';

/** A process that makes one call with the key `shared` and tells its parent what it was answered. */
const environment = JSON.parse(process.argv[2] ?? '{}');
const { json } = await gateway(environment)('POST', '/tools/key-create', {
  body: { Name: 'laptop', PublicKey: 'ssh-ed25519 AAAA' },
  headers: { 'idempotency-key': 'shared' },
});
process.send?.(json);
process.disconnect();
