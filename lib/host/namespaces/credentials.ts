import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import type { DatabaseSync } from 'node:sqlite';
import { basicCredentials } from '../http/credentials.ts';

/** A further key of a namespace, as it is kept: its secret is not. Times in milliseconds since the epoch. */
export interface AccessKey {
  /** `dof_v1_<hex>`, the half of the key that is no secret. */
  readonly id: string;
  readonly namespace: string;
  readonly name: string;
  /** SHA-256 of `id:secret`, in hexadecimal. */
  readonly digest: string;
  /** Null for one that stays. */
  readonly expiresMs: number | null;
  readonly createdMs: number;
  readonly updatedMs: number;
}

interface Owner {
  readonly namespace: string;
  readonly digest: Buffer;
  readonly expiresMs: number | null;
}

const nobody: Owner = { namespace: '', digest: Buffer.alloc(32), expiresMs: 0 };

/** Which credentials open which namespace: the key it was made with, and the access keys made since. */
export class Credentials {
  readonly #store: DatabaseSync;
  readonly #keys = new Map<string, AccessKey>();
  /** By the half of the credentials that is no secret. */
  readonly #owners = new Map<string, Owner>();

  constructor(store: DatabaseSync) {
    this.#store = store;
    for (const row of store.prepare('SELECT record FROM access_key').all()) {
      // Written by #keep and by nobody else.
      this.#hold(JSON.parse(String(row.record)) as AccessKey);
    }
  }

  /** The namespace that an `Authorization` header opens. Takes the same time whatever is wrong with the secret. */
  ownerOf(authorization: string | undefined): string | undefined {
    const shown = basicCredentials(authorization);
    if (shown === undefined) return undefined;
    const { namespace, digest, expiresMs } = this.#owners.get(idOf(shown)) ?? nobody;
    const isRight = timingSafeEqual(digestOf(shown), digest);
    return isRight && (expiresMs === null || Date.now() < expiresMs) ? namespace : undefined;
  }

  /** Lets the key that a namespace was made with open it. */
  admit(namespace: string, auth: string): void {
    this.#owners.set(idOf(auth), { namespace, digest: digestOf(auth), expiresMs: null });
  }

  /** The access keys of a namespace, oldest first. */
  list(namespace: string): readonly AccessKey[] {
    return [...this.#keys.values()].filter((key) => key.namespace === namespace).sort((one, other) => one.createdMs - other.createdMs);
  }

  find(namespace: string, id: string): AccessKey | undefined {
    const key = this.#keys.get(id);
    return key?.namespace === namespace ? key : undefined;
  }

  /** Makes an access key. `secret` is `id:secret`, for this once. */
  create(namespace: string, name: string, expiresMs: number | null): { readonly key: AccessKey; readonly secret: string } {
    const id = `dof_v1_${randomBytes(16).toString('hex')}`;
    const secret = `${id}:${randomBytes(32).toString('hex')}`;
    const now = Date.now();
    const digest = digestOf(secret).toString('hex');
    return { key: this.#keep({ id, namespace, name, digest, expiresMs, createdMs: now, updatedMs: now }), secret };
  }

  rename(key: AccessKey, name: string): AccessKey {
    return this.#keep({ ...key, name, updatedMs: Date.now() });
  }

  delete({ id }: AccessKey): void {
    this.#store.prepare('DELETE FROM access_key WHERE id = ?').run(id);
    this.#keys.delete(id);
    this.#owners.delete(id);
  }

  /** Nothing opens a namespace any more; what the store holds of it is deleted by who deletes the namespace. */
  forget(namespace: string): void {
    for (const [id, owner] of this.#owners) if (owner.namespace === namespace) this.#owners.delete(id);
    for (const [id, key] of this.#keys) if (key.namespace === namespace) this.#keys.delete(id);
  }

  #keep(key: AccessKey): AccessKey {
    const insert = this.#store.prepare('INSERT OR REPLACE INTO access_key(id, namespace, record) VALUES (?, ?, ?)');
    insert.run(key.id, key.namespace, JSON.stringify(key));
    this.#hold(key);
    return key;
  }

  #hold(key: AccessKey): void {
    this.#keys.set(key.id, key);
    this.#owners.set(key.id, { namespace: key.namespace, digest: Buffer.from(key.digest, 'hex'), expiresMs: key.expiresMs });
  }
}

/** The half of `id:secret` that is no secret. */
export function idOf(credentials: string): string {
  return credentials.slice(0, Math.max(credentials.indexOf(':'), 0));
}

function digestOf(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}
