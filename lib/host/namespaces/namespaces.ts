import { randomBytes, randomUUID } from 'node:crypto';
import type { DatabaseSync } from 'node:sqlite';
import type { ThrottleLimits } from '../activations/throttle.ts';
import { HostError } from '../host-error.ts';
import { basicCredentials, sameSecret } from '../http/credentials.ts';
import type { Fleet } from '../instances/fleet.ts';
import { hostLimits } from '../limits.ts';
import { type Identity, identity } from '../store/identity.ts';
import { type Namespace, type NamespaceRecord, openNamespace } from './namespace.ts';

/** What the first namespace is called where nobody has named it. */
const ownLabel = 'deckhand';
const ownRegion = 'local';

/** All namespaces of a host. The first, its own, is made at the first start with a data directory. */
export class Namespaces {
  readonly #store: DatabaseSync;
  readonly #fleet: Fleet;
  readonly #limits: ThrottleLimits;
  readonly #all = new Map<string, Namespace>();
  /** Whom credentials belong to, by what precedes their colon. */
  readonly #byId = new Map<string, { readonly secret: string; readonly namespace: string }>();
  readonly #own: Identity;

  constructor(store: DatabaseSync, fleet: Fleet, limits: ThrottleLimits) {
    this.#store = store;
    this.#fleet = fleet;
    this.#limits = limits;
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

  /** The namespace whose credentials an `Authorization` header shows. Takes the same time whatever is wrong with the secret. */
  ownedBy(authorization: string | undefined): Namespace | undefined {
    const shown = basicCredentials(authorization);
    if (shown === undefined) return undefined;
    const known = this.#byId.get(shown.slice(0, shown.indexOf(':')));
    return sameSecret(shown, known?.secret ?? '') && known ? this.#all.get(known.namespace) : undefined;
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

  /** Makes a namespace with a key of its own. HostError `unprocessable` at the platform's limit. */
  create(label: string, region: string): Namespace {
    if (this.#all.size >= hostLimits.namespaces) throw new HostError('unprocessable', 'namespace limit reached');
    const auth = `${randomUUID()}:${randomBytes(32).toString('hex')}`;
    return this.#keep({ namespace: `fn-${randomUUID()}`, label, region, auth, ...bornNow() });
  }

  /** Deletes a namespace with everything in it; what runs is ended. */
  delete(target: Namespace): void {
    const { namespace, registry, activations, events } = target;
    this.#all.delete(namespace);
    for (const [id, owner] of this.#byId) if (owner.namespace === namespace) this.#byId.delete(id);
    this.#fleet.endNamespace(namespace);
    events.close();
    activations.delete();
    registry.clear();
    this.#store.prepare('DELETE FROM namespace WHERE name = ?').run(namespace);
    // The next start makes a new one.
    if (namespace === this.#own.namespace) this.#store.prepare('DELETE FROM setting WHERE key = ?').run('identity');
  }

  close(): void {
    for (const { activations, events } of this.#all.values()) {
      activations.close();
      events.close();
    }
  }

  #keep(record: NamespaceRecord): Namespace {
    this.#store.prepare('INSERT INTO namespace(name, record) VALUES (?, ?)').run(record.namespace, JSON.stringify(record));
    return this.#open(record);
  }

  #open(record: NamespaceRecord): Namespace {
    const opened = openNamespace(this.#store, record, this.#fleet, this.#limits);
    this.#all.set(record.namespace, opened);
    this.#byId.set(idOf(record), { secret: record.auth, namespace: record.namespace });
    return opened;
  }
}

/** The half of a namespace's credentials that is no secret. */
export function idOf({ auth }: NamespaceRecord): string {
  return auth.slice(0, auth.indexOf(':'));
}

function bornNow(): Pick<NamespaceRecord, 'createdMs' | 'updatedMs'> {
  const now = Date.now();
  return { createdMs: now, updatedMs: now };
}
