import type { DatabaseSync } from 'node:sqlite';
import { type DeployedFunction, deployedFunction } from './deployed-function.ts';
import type { FunctionRecord, PackageRecord } from './function-record.ts';

/** Told of every change: the function as it is served from now on, or undefined when it is gone. */
export type RegistryListener = (fullName: string, deployed: DeployedFunction | undefined) => void;

/**
 * The packages and functions of the namespace: answered from memory, kept in the store. A change is one transaction and becomes visible
 * when it is whole.
 */
export class FunctionRegistry {
  readonly #store: DatabaseSync;
  readonly #packages = new Map<string, PackageRecord>();
  readonly #functions = new Map<string, DeployedFunction>();
  #listener: RegistryListener = () => {};

  constructor(store: DatabaseSync) {
    this.#store = store;
    for (const row of store.prepare('SELECT record FROM package').all()) {
      // Both tables hold what the methods below wrote, and nothing else writes to them.
      const record = JSON.parse(String(row.record)) as PackageRecord;
      this.#packages.set(record.name, record);
    }
    for (const row of store.prepare('SELECT record FROM function').all()) {
      const record = JSON.parse(String(row.record)) as FunctionRecord;
      const deployed = deployedFunction(record, this.#packages.get(record.packageName));
      this.#functions.set(deployed.fullName, deployed);
    }
  }

  onChange(listener: RegistryListener): void {
    this.#listener = listener;
  }

  /** Newest first. */
  packages(): readonly PackageRecord[] {
    return [...this.#packages.values()].sort(newestFirst);
  }

  package(name: string): PackageRecord | undefined {
    return this.#packages.get(name);
  }

  /** Newest first; of one package, or of all. */
  functions(packageName?: string): readonly FunctionRecord[] {
    const all = [...this.#functions.values()].map((deployed) => deployed.record);
    return all.filter((record) => packageName === undefined || record.packageName === packageName).sort(newestFirst);
  }

  /** `fullName` is `package/name`, or the bare name in the default package. */
  function(fullName: string): DeployedFunction | undefined {
    return this.#functions.get(fullName);
  }

  putPackage(record: PackageRecord): void {
    this.#transaction(() => {
      this.#store.prepare('INSERT OR REPLACE INTO package(name, record) VALUES (?, ?)').run(record.name, JSON.stringify(record));
    });
    this.#packages.set(record.name, record);
    for (const inner of this.functions(record.name)) this.#serve(deployedFunction(inner, record));
  }

  deletePackage(name: string): void {
    this.#store.prepare('DELETE FROM package WHERE name = ?').run(name);
    this.#packages.delete(name);
  }

  /** `code` may be left out where the record's digest is already stored. */
  putFunction(record: FunctionRecord, code?: Buffer): DeployedFunction {
    this.#transaction(() => {
      if (code) this.#store.prepare('INSERT OR IGNORE INTO code(digest, content) VALUES (?, ?)').run(record.digest, code);
      this.#store
        .prepare('INSERT OR REPLACE INTO function(package, name, digest, record) VALUES (?, ?, ?, ?)')
        .run(record.packageName, record.name, record.digest, JSON.stringify(record));
      this.#dropUnusedCode();
    });
    const deployed = deployedFunction(record, this.#packages.get(record.packageName));
    this.#serve(deployed);
    return deployed;
  }

  deleteFunction({ record, fullName }: DeployedFunction): void {
    this.#transaction(() => {
      this.#store.prepare('DELETE FROM function WHERE package = ? AND name = ?').run(record.packageName, record.name);
      this.#dropUnusedCode();
    });
    this.#functions.delete(fullName);
    this.#listener(fullName, undefined);
  }

  /** The code as it was deployed: a zip where the record says `binary`, else source text. */
  code(digest: string): Buffer {
    const row = this.#store.prepare('SELECT content FROM code WHERE digest = ?').get(digest);
    const content = row?.content;
    if (!(content instanceof Uint8Array)) throw new Error(`the store has no code with digest ${digest}`);
    return Buffer.from(content.buffer, content.byteOffset, content.byteLength);
  }

  #serve(deployed: DeployedFunction): void {
    this.#functions.set(deployed.fullName, deployed);
    this.#listener(deployed.fullName, deployed);
  }

  #dropUnusedCode(): void {
    this.#store.exec('DELETE FROM code WHERE digest NOT IN (SELECT digest FROM function)');
  }

  #transaction(work: () => void): void {
    this.#store.exec('BEGIN IMMEDIATE');
    try {
      work();
      this.#store.exec('COMMIT');
    } catch (error) {
      this.#store.exec('ROLLBACK');
      throw error;
    }
  }
}

function newestFirst(one: { readonly updatedMs: number }, other: { readonly updatedMs: number }): number {
  return other.updatedMs - one.updatedMs;
}
