import type { DatabaseSync } from 'node:sqlite';
import { HostError } from '../host-error.ts';
import { transaction } from '../store/transaction.ts';
import { type DeployedAction, type DeployedFunction, deployedAction, isDeployedSequence } from './deployed-function.ts';
import { type ActionRecord, isSequence, type PackageRecord } from './function-record.ts';

/** Told of every change to what has code: a function is served so from now on, or is gone. */
export interface RegistryListener {
  onServed(deployed: DeployedFunction): void;
  onDeleted(deployed: DeployedFunction): void;
}

/**
 * The packages, functions and sequences of one namespace: answered from memory, kept in the store. A change is one transaction and becomes visible
 * when it is whole.
 */
export class FunctionRegistry {
  readonly #store: DatabaseSync;
  readonly #namespace: string;
  readonly #listener: RegistryListener;
  readonly #packages = new Map<string, PackageRecord>();
  readonly #functions = new Map<string, DeployedAction>();
  /** The same functions as they are called through bindings. */
  readonly #bound = new Map<string, DeployedAction>();
  #ended = false;

  constructor(store: DatabaseSync, namespace: string, listener: RegistryListener) {
    this.#store = store;
    this.#namespace = namespace;
    this.#listener = listener;
    for (const row of store.prepare('SELECT record FROM package WHERE namespace = ?').all(namespace)) {
      // Both tables hold what the methods below wrote, and nothing else writes to them.
      const record = JSON.parse(String(row.record)) as PackageRecord;
      this.#packages.set(record.name, record);
    }
    for (const row of store.prepare('SELECT record FROM function WHERE namespace = ?').all(namespace)) {
      const record = JSON.parse(String(row.record)) as ActionRecord;
      const deployed = this.#withPackage(record);
      this.#functions.set(deployed.fullName, deployed);
      for (const bound of this.#throughBindings(record)) this.#bound.set(bound.fullName, bound);
    }
  }

  /** Newest first. */
  packages(): readonly PackageRecord[] {
    return [...this.#packages.values()].sort(newestFirst);
  }

  package(name: string): PackageRecord | undefined {
    return this.#packages.get(name);
  }

  /** Newest first; of one package, or of all. A binding has those of the package it stands for. */
  functions(packageName?: string): readonly ActionRecord[] {
    const all = [...this.#functions.values()].map((deployed) => deployed.record);
    const wanted = packageName === undefined ? undefined : (this.#packages.get(packageName)?.binding ?? packageName);
    return all.filter((record) => wanted === undefined || record.packageName === wanted).sort(newestFirst);
  }

  /** `fullName` is `package/name`, or the bare name in the default package. */
  function(fullName: string): DeployedAction | undefined {
    return this.#functions.get(fullName) ?? this.#bound.get(fullName);
  }

  /** HostError `not_found` where the namespace was deleted meanwhile. */
  putPackage(record: PackageRecord): void {
    this.#checkAlive();
    this.#store
      .prepare('INSERT OR REPLACE INTO package(namespace, name, record) VALUES (?, ?, ?)')
      .run(this.#namespace, record.name, JSON.stringify(record));
    const former = this.#packages.get(record.name);
    this.#packages.set(record.name, record);
    if (former?.binding !== record.binding) this.#withdrawBound(record.name);
    for (const inner of this.functions(record.name)) this.#serve(inner);
  }

  deletePackage(name: string): void {
    this.#store.prepare('DELETE FROM package WHERE namespace = ? AND name = ?').run(this.#namespace, name);
    this.#packages.delete(name);
    this.#withdrawBound(name);
  }

  /** `code` may be left out where the record's digest is already stored. HostError `not_found` where the namespace was deleted meanwhile. */
  putFunction(record: ActionRecord, code?: Buffer): void {
    this.#checkAlive();
    const digest = isSequence(record) ? '' : record.digest;
    transaction(this.#store, () => {
      if (code) this.#store.prepare('INSERT OR IGNORE INTO code(digest, content) VALUES (?, ?)').run(digest, code);
      this.#store
        .prepare('INSERT OR REPLACE INTO function(namespace, package, name, digest, record) VALUES (?, ?, ?, ?, ?)')
        .run(this.#namespace, record.packageName, record.name, digest, JSON.stringify(record));
      dropUnusedCode(this.#store);
    });
    this.#serve(record);
  }

  deleteFunction({ record }: DeployedAction): void {
    transaction(this.#store, () => {
      const remove = this.#store.prepare('DELETE FROM function WHERE namespace = ? AND package = ? AND name = ?');
      remove.run(this.#namespace, record.packageName, record.name);
      dropUnusedCode(this.#store);
    });
    for (const gone of [this.#withPackage(record), ...this.#throughBindings(record)]) this.#withdraw(gone);
  }

  /** The namespace is gone, and the store holds nothing of it any more; a deployment that is under way comes to nothing. */
  end(): void {
    this.#ended = true;
    this.#packages.clear();
    this.#functions.clear();
    this.#bound.clear();
  }

  code(digest: string): Buffer {
    return storedCode(this.#store, digest);
  }

  #withPackage(record: ActionRecord): DeployedAction {
    const parent = this.#packages.get(record.packageName);
    return deployedAction(this.#namespace, record, parent ? [parent] : []);
  }

  #throughBindings(record: ActionRecord): readonly DeployedAction[] {
    const parent = this.#packages.get(record.packageName);
    if (!parent) return [];
    const bindings = [...this.#packages.values()].filter(({ binding }) => binding === parent.name);
    return bindings.map((binding) => deployedAction(this.#namespace, record, [parent, binding]));
  }

  #serve(record: ActionRecord): void {
    this.#serveIn(this.#functions, this.#withPackage(record));
    for (const bound of this.#throughBindings(record)) this.#serveIn(this.#bound, bound);
  }

  #serveIn(served: Map<string, DeployedAction>, deployed: DeployedAction): void {
    const former = served.get(deployed.fullName);
    served.set(deployed.fullName, deployed);
    if (!isDeployedSequence(deployed)) this.#listener.onServed(deployed);
    else if (former && !isDeployedSequence(former)) this.#listener.onDeleted(former);
  }

  /** A binding stands for its package no more. */
  #withdrawBound(binding: string): void {
    for (const bound of this.#bound.values()) if (bound.fullName.startsWith(`${binding}/`)) this.#withdraw(bound);
  }

  #withdraw(deployed: DeployedAction): void {
    this.#functions.delete(deployed.fullName);
    this.#bound.delete(deployed.fullName);
    if (!isDeployedSequence(deployed)) this.#listener.onDeleted(deployed);
  }

  #checkAlive(): void {
    if (this.#ended) throw new HostError('not_found', `${this.#namespace} was deleted`);
  }
}

/** Code of which no function is made any more, in whatever namespace. */
export function dropUnusedCode(store: DatabaseSync): void {
  store.exec('DELETE FROM code WHERE digest NOT IN (SELECT digest FROM function)');
}

/** The digests of all code that functions are made of. */
export function storedDigests(store: DatabaseSync): ReadonlySet<string> {
  return new Set(
    store
      .prepare('SELECT digest FROM code')
      .all()
      .map(({ digest }) => String(digest)),
  );
}

/** The code as it was deployed: a zip where the record says `binary`, else source text. Namespaces share what is the same. */
export function storedCode(store: DatabaseSync, digest: string): Buffer {
  const row = store.prepare('SELECT content FROM code WHERE digest = ?').get(digest);
  const content = row?.content;
  if (!(content instanceof Uint8Array)) throw new Error(`the store has no code with digest ${digest}`);
  return Buffer.from(content.buffer, content.byteOffset, content.byteLength);
}

function newestFirst(one: { readonly updatedMs: number }, other: { readonly updatedMs: number }): number {
  return other.updatedMs - one.updatedMs;
}
