import { randomBytes, randomUUID } from 'node:crypto';
import { dropUnusedCode } from '../functions/function-registry.ts';
import { HostError } from '../host-error.ts';
import { hostLimits } from '../limits.ts';
import { type Identity, identity } from '../store/identity.ts';
import { namespacedTables } from '../store/schema.ts';
import { transaction } from '../store/transaction.ts';
import { Credentials } from './credentials.ts';
import { closeNamespace, type Namespace, type NamespaceParts, type NamespaceRecord, openNamespace } from './namespace.ts';

/** What the first namespace is called where nobody has named it. */
const ownLabel = 'deckhand';
const ownRegion = 'local';

/** All namespaces of a host. The first, its own, is made at the first start with a data directory. */
export class Namespaces {
  readonly credentials: Credentials;
  readonly #parts: NamespaceParts;
  readonly #all = new Map<string, Namespace>();
  readonly #own: Identity;

  constructor(parts: NamespaceParts) {
    const { store } = parts;
    this.#parts = parts;
    this.credentials = new Credentials(store);
    this.#own = identity(store);
    const rows = store.prepare('SELECT record FROM namespace').all();
    // Written by #keep and by nobody else.
    const records = rows.map((row) => JSON.parse(String(row.record)) as NamespaceRecord);
    for (const record of records) this.#open(record);
    if (!this.#all.has(this.#own.namespace)) this.#keep({ ...this.#own, label: ownLabel, region: ownRegion, ...bornNow() });
  }

  /** The name and key of the namespace the host made for itself, which may have been deleted since. */
  get identity(): Identity {
    return this.#own;
  }

  /** Oldest first. */
  all(): readonly Namespace[] {
    return [...this.#all.values()].sort((one, other) => one.record.createdMs - other.record.createdMs);
  }

  /** Without a name, the host's own. */
  find(namespace = this.#own.namespace): Namespace | undefined {
    return this.#all.get(namespace);
  }

  /** The namespace whose credentials an `Authorization` header shows. */
  ownedBy(authorization: string | undefined): Namespace | undefined {
    const owner = this.credentials.ownerOf(authorization);
    return owner === undefined ? undefined : this.#all.get(owner);
  }

  /** The same for a request that must show them: HostError `unauthenticated`. */
  authenticate(authorization: string | undefined): Namespace {
    if (authorization === undefined) {
      throw new HostError('unauthenticated', 'The resource requires authentication, which was not supplied with the request');
    }
    const owned = this.ownedBy(authorization);
    if (!owned) throw new HostError('unauthenticated', 'The supplied authentication is invalid');
    return owned;
  }

  /** Makes a namespace with a key of its own. HostError `conflict` for a label that is taken, `unprocessable` at the platform's limit. */
  create(label: string, region: string): Namespace {
    const taken = this.all().find(({ record }) => record.label === label);
    if (taken) throw new HostError('conflict', `the label "${label}" is that of ${taken.namespace}: choose another`);
    if (this.#all.size >= hostLimits.namespaces) throw new HostError('unprocessable', 'namespace limit reached');
    const auth = `${randomUUID()}:${randomBytes(32).toString('hex')}`;
    return this.#keep({ namespace: `fn-${randomUUID()}`, label, region, auth, ...bornNow() });
  }

  /** Deletes a namespace with everything in it, its activations too; what runs is ended. */
  delete(target: Namespace): void {
    const { namespace, registry, activations, events, triggers } = target;
    const { store, fleet } = this.#parts;
    transaction(store, () => {
      for (const table of namespacedTables) store.prepare(`DELETE FROM ${table} WHERE namespace = ?`).run(namespace);
      store.prepare('DELETE FROM namespace WHERE name = ?').run(namespace);
      // The next start makes a new one.
      if (namespace === this.#own.namespace) store.prepare('DELETE FROM setting WHERE key = ?').run('identity');
      dropUnusedCode(store);
    });
    this.#all.delete(namespace);
    this.credentials.forget(namespace);
    triggers.close();
    registry.end();
    activations.end();
    events.close();
    fleet.endNamespace(namespace);
  }

  close(): void {
    for (const namespace of this.#all.values()) closeNamespace(namespace);
  }

  #keep(record: NamespaceRecord): Namespace {
    const insert = this.#parts.store.prepare('INSERT INTO namespace(name, record) VALUES (?, ?)');
    insert.run(record.namespace, JSON.stringify(record));
    return this.#open(record);
  }

  #open(record: NamespaceRecord): Namespace {
    const opened = openNamespace(record, this.#parts);
    this.#all.set(record.namespace, opened);
    this.credentials.admit(record.namespace, record.auth);
    return opened;
  }
}

function bornNow(): Pick<NamespaceRecord, 'createdMs' | 'updatedMs'> {
  const now = Date.now();
  return { createdMs: now, updatedMs: now };
}
