import { createHash } from 'node:crypto';
import { messages } from '../assumptions.ts';
import { notFound, unprocessable } from '../errors.ts';
import { integerId, onlyFields, requiredText } from '../fields.ts';
import { listReply } from '../paging.ts';
import type { Account } from '../store/account.ts';
import { collection, type Entry } from '../store/collection.ts';
import { type Family, route } from './family.ts';

export interface Key {
  readonly id: number;
  readonly fingerprint: string;
  readonly public_key: string;
  readonly name: string;
}

export const keys = collection<Key>({
  table: 'keys',
  key: 'integer',
  id: (key) => key.id,
  columns: { fingerprint: { of: (key) => key.fingerprint, index: 'lookup' } },
});

/** SSH keys. Source: operations sshKeys_*; a key is named by its id or by its fingerprint. */
export const keyFamily: Family = {
  tables: keys.tables,
  routes: [
    route('GET /v2/account/keys', { limit: 'key-lists' }, (request, account) => listReply(request, 'ssh_keys', keys.source(account))),
    route('POST /v2/account/keys', { status: 201 }, ({ body }, account) => {
      onlyFields(body, FIELDS);
      const name = requiredText(body, 'name');
      return { ssh_key: addKey(account, name, requiredText(body, 'public_key')) };
    }),
    route('GET /v2/account/keys/{key}', {}, ({ params }, account) => ({ ssh_key: knownKey(account, params.key).wire })),
    route('PUT /v2/account/keys/{key}', {}, ({ params, body }, account) => {
      onlyFields(body, FIELDS);
      const renamed = { ...knownKey(account, params.key).wire, name: requiredText(body, 'name') };
      keys.update(account, renamed, null);
      return { ssh_key: renamed };
    }),
    route('DELETE /v2/account/keys/{key}', { status: 204 }, ({ params }, account) => {
      keys.remove(account, knownKey(account, params.key).wire.id);
      return undefined;
    }),
  ],
  born: (account) => account.count('key.id', FIRST_ID),
};

const FIRST_ID = 100_000_000;
/** What only replies have is taken and has no effect. Source: the OpenAPI document, component `sshKeys`. */
const FIELDS = ['id', 'fingerprint', 'name', 'public_key'];

/** Stores a public key. Errors: 422 for one that is malformed or already there. */
export function addKey(account: Account, name: string, publicKey: string): Key {
  const fingerprint = fingerprintOf(publicKey);
  if (findKey(account, fingerprint) !== undefined) {
    throw unprocessable('SSH Key is already in use on your account');
  }
  const key = { id: account.nextId('key.id'), fingerprint, public_key: publicKey.trim(), name };
  keys.insert(account, key, null);
  return key;
}

/** A key by its id or its fingerprint. */
export function findKey(account: Account, reference: string): Entry<Key, null> | undefined {
  const id = integerId(reference);
  return id === undefined ? keys.where(account, 'fingerprint', reference)[0] : keys.get(account, id);
}

function knownKey(account: Account, reference = ''): Entry<Key, null> {
  const key = findKey(account, reference);
  if (key === undefined) {
    throw notFound();
  }
  return key;
}

const KEY_TYPE = /^(ssh-rsa|ssh-ed25519|ecdsa-sha2-nistp(256|384|521)|ssh-dss|sk-[a-z0-9@.-]+)$/;

/** The MD5 of the key's blob in colon-separated hex. The blob's first length-prefixed string must repeat the type before it. */
function fingerprintOf(publicKey: string): string {
  const [type = '', base64 = ''] = publicKey.trim().split(/\s+/);
  const blob = Buffer.from(base64, 'base64');
  const innerLength = blob.length > 4 ? blob.readUInt32BE(0) : 0;
  const inner = blob.subarray(4, 4 + innerLength).toString('latin1');
  if (!KEY_TYPE.test(type) || inner !== type || !/^[A-Za-z0-9+/]+={0,2}$/.test(base64) || blob.length <= 4 + innerLength) {
    throw unprocessable(messages.keyInvalid);
  }
  return createHash('md5')
    .update(blob)
    .digest('hex')
    .replace(/..(?=.)/g, '$&:');
}
