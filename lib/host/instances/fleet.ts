import { totalmem } from 'node:os';
import type { CodeDirectories } from '../functions/code-directories.ts';
import type { DeployedFunction } from '../functions/deployed-function.ts';
import type { Environment } from '../functions/environments.ts';
import type { RegistryListener } from '../functions/function-registry.ts';
import { missingPackage } from '../functions/package-mentions.ts';
import { HostError } from '../host-error.ts';
import type { KindBinaries } from '../kinds/kind-binaries.ts';
import type { ProvidedPackages } from '../kinds/provided-packages.ts';
import { FunctionPool, type InstanceSource, type InstanceSpec, type Lacked, type Prepared } from './function-pool.ts';
import type { Inspector } from './inspector.ts';
import { Instance } from './instance.ts';
import type { Job } from './job.ts';
import { MemoryGuard } from './memory-guard.ts';
import { Prelaunched } from './prelaunched.ts';
import type { ProcessLedger } from './process-ledger.ts';

const bytesPerMib = 1024 * 1024;
const housekeepingMs = 1000;
const replenishAfterMs = 20;

export interface FleetOptions {
  readonly mostInstances: number;
  readonly idleTimeoutMs: number;
  /** The sum of the memory limits of all instances stays under this; default half of the machine's memory. */
  readonly totalMemoryMib?: number;
}

/** What the fleet works with. `apiHost` is asked for late: the address is known only once the server listens. */
export interface FleetParts {
  readonly binaries: KindBinaries;
  readonly packages: ProvidedPackages;
  readonly directories: CodeDirectories;
  readonly ledger: ProcessLedger;
  readonly apiHost: () => string;
  /** The environment of a function; a promise while it is not known. */
  readonly environmentOf: (deployed: DeployedFunction) => Environment | Promise<Environment>;
  /** What debugs the one function that is to be debugged. */
  readonly inspector: Inspector | undefined;
}

/** All instances of all functions: which there are, what memory they may take together, and when they end. */
export class Fleet implements InstanceSource, RegistryListener {
  readonly #options: FleetOptions;
  readonly #parts: FleetParts;
  readonly #totalMemoryMib: number;
  /** By namespace and full name. */
  readonly #pools = new Map<string, FunctionPool>();
  readonly #all = new Set<Instance>();
  readonly #guard = new MemoryGuard();
  readonly #prelaunched: Prelaunched;
  /** Pools that found no room; asked again when there may be some. */
  readonly #waiting = new Set<FunctionPool>();
  readonly #housekeeping: NodeJS.Timeout;
  #closing = false;
  #whenEmpty = (): void => {};

  constructor(options: FleetOptions, parts: FleetParts) {
    this.#options = options;
    this.#parts = parts;
    this.#totalMemoryMib = options.totalMemoryMib ?? Math.floor(totalmem() / bytesPerMib / 2);
    this.#prelaunched = new Prelaunched((spec) => this.#launchSpare(spec));
    const periodMs = Math.min(housekeepingMs, options.idleTimeoutMs);
    this.#housekeeping = setInterval(() => this.#keepHouse(), periodMs).unref();
  }

  /** Queues a call. HostError `closing` when the host shuts down. */
  submit(deployed: DeployedFunction, job: Job): void {
    if (this.#closing) throw closing();
    this.#poolOf(deployed).submit(job);
  }

  /** Takes a call back that no instance has begun; false where one has. */
  withdraw(deployed: DeployedFunction, job: Job): boolean {
    return this.#pools.get(poolKey(deployed))?.withdraw(job) ?? false;
  }

  /** A function was deployed, or deployed anew. */
  onServed(deployed: DeployedFunction): void {
    this.#pools.get(poolKey(deployed))?.replace(deployed);
    this.#parts.directories.sweep();
    const prepared = this.prepare(deployed);
    if (!(prepared instanceof Promise)) this.#prelaunched.keep(prepared.spec);
    else prepared.then(({ spec }) => this.#prelaunched.keep(spec), tellTheFirstCall);
  }

  onDeleted(deployed: DeployedFunction): void {
    const key = poolKey(deployed);
    this.#pools.get(key)?.drain(new HostError('not_found', `${deployed.fullName} was deleted while the call waited`));
    this.#pools.delete(key);
    this.#parts.directories.sweep();
  }

  /** A namespace is deleted: what waits fails, what runs is ended. */
  endNamespace(namespace: string): void {
    for (const [key, pool] of this.#pools) {
      if (!key.startsWith(`${namespace}/`)) continue;
      pool.shutDown(new HostError('not_found', `${namespace} was deleted while the call waited`));
      this.#pools.delete(key);
    }
    this.#parts.directories.sweep();
  }

  /** Ends every process and waits until all are gone. */
  async close(): Promise<void> {
    this.#closing = true;
    clearInterval(this.#housekeeping);
    for (const pool of this.#pools.values()) pool.shutDown(closing());
    const gone = new Promise<void>((resolve) => {
      this.#whenEmpty = resolve;
    });
    for (const instance of this.#all) instance.end('retired');
    if (this.#all.size > 0) await gone;
  }

  prepare(deployed: DeployedFunction): Prepared | Promise<Prepared> {
    const { record } = deployed;
    const nodePath = this.#parts.binaries.locate(record.kind);
    const { directories } = this.#parts;
    const lacks = this.#parts.packages.areOpen(this.#parts.directories.needsOf(record));
    const env = this.#parts.environmentOf(deployed);
    if (nodePath === undefined || !directories.isReady(record) || lacks || env instanceof Promise) return this.#bring(deployed);
    const settings = { main: record.main ?? 'main', env, apiHost: this.#parts.apiHost() };
    return {
      spec: { nodePath, memoryMib: record.limits.memory, ...this.#inspectorOf(deployed) },
      programFor: (instance) => ({ ...directories.use(record, instance.id), ...settings }),
    };
  }

  #inspectorOf({ fullName }: DeployedFunction): Pick<InstanceSpec, 'inspector'> {
    const { inspector } = this.#parts;
    return inspector?.isFor(fullName) ? { inspector } : {};
  }

  lacked({ record }: DeployedFunction, failure: string): Lacked | undefined {
    const name = missingPackage(failure);
    if (name === undefined) return undefined;
    const { packages, directories } = this.#parts;
    const canBeBrought = directories.addNeed(record, name) && packages.areOpen([name]);
    if (canBeBrought) void packages.settle([name]);
    const advice = packages.advice(name, record.kind);
    return advice === undefined ? undefined : { canBeBrought, advice };
  }

  take(spec: InstanceSpec, pool: FunctionPool): Instance | undefined {
    const spare = this.#prelaunched.take(spec);
    if (spare) return spare;
    if (!this.#makeRoom(spec.memoryMib)) {
      this.#waiting.add(pool);
      return undefined;
    }
    return this.#launch(spec);
  }

  giveBack(spec: InstanceSpec, instance: Instance): void {
    if (!instance.isEnding && this.#prelaunched.put(spec, instance)) {
      instance.listener = this.#spareListener;
      return;
    }
    instance.listener = this.#spareListener;
    instance.end('retired');
  }

  onStart(instance: Instance): void {
    this.#guard.watch(instance);
  }

  onFree(instance: Instance): void {
    this.#guard.unwatch(instance);
    this.#offerRoom();
  }

  onColdAnswer(spec: InstanceSpec): void {
    // A second process would take the debugger's place.
    if (spec.inspector) return;
    // Starting a process holds the host up for a moment: the answer goes out first, and so do those of a burst.
    setTimeout(() => this.#prelaunched.keep(spec), replenishAfterMs).unref();
  }

  onGone(instance: Instance): void {
    this.#guard.unwatch(instance);
    this.#offerRoom();
    const { ledger, directories } = this.#parts;
    const ended = instance.pid === undefined ? Promise.resolve() : ledger.remove(instance.pid, instance.id);
    const forget = (): void => {
      this.#all.delete(instance);
      directories.removeHome(instance.home);
      directories.release(instance.id);
      if (this.#all.size === 0) this.#whenEmpty();
    };
    // What could not be looked for stays in the ledger, for the next start.
    ended.then(forget, forget);
  }

  #poolOf(deployed: DeployedFunction): FunctionPool {
    const key = poolKey(deployed);
    const known = this.#pools.get(key);
    if (known) return known;
    const pool = new FunctionPool(this, deployed, this.#inspectorOf(deployed).inspector ? 1 : this.#options.mostInstances);
    this.#pools.set(key, pool);
    return pool;
  }

  async #bring(deployed: DeployedFunction): Promise<Prepared> {
    const { record } = deployed;
    const { binaries, directories, packages } = this.#parts;
    const placed = directories.place(record).then(() => packages.settle(directories.needsOf(record)));
    await Promise.all([binaries.ensure(record.kind), placed, this.#parts.environmentOf(deployed)]);
    return this.prepare(deployed);
  }

  #launch(spec: InstanceSpec): Instance {
    const instance = new Instance({ ...spec, home: this.#parts.directories.makeHome() }, this.#spareListener);
    this.#all.add(instance);
    if (instance.pid !== undefined) this.#parts.ledger.add(instance.pid, instance.id);
    return instance;
  }

  #launchSpare(spec: InstanceSpec): Instance | undefined {
    const fits = this.#usedMib() + spec.memoryMib <= this.#totalMemoryMib;
    return fits && !this.#closing ? this.#launch(spec) : undefined;
  }

  readonly #spareListener = {
    onBooted: (): void => {},
    onFree: (): void => {},
    onGone: (instance: Instance): void => {
      this.#prelaunched.forget(instance);
      this.onGone(instance);
    },
  };

  #usedMib(): number {
    let sum = 0;
    for (const instance of this.#all) if (!instance.isEnding) sum += instance.memoryMib;
    return sum;
  }

  /** Ends spare instances, then the longest unused, until that much memory may be taken. */
  #makeRoom(memoryMib: number): boolean {
    if (this.#closing) return false;
    while (this.#usedMib() + memoryMib > this.#totalMemoryMib) {
      if (this.#prelaunched.endOne()) continue;
      const idle = [...this.#pools.values()].flatMap((pool) => pool.free.map((instance) => ({ pool, instance })));
      const [oldest] = idle.sort((one, other) => one.instance.freeSince - other.instance.freeSince);
      if (!oldest) return false;
      oldest.pool.retire(oldest.instance);
    }
    return true;
  }

  #offerRoom(): void {
    for (const pool of [...this.#waiting]) {
      this.#waiting.delete(pool);
      pool.dispatch();
    }
  }

  #keepHouse(): void {
    const oldest = performance.now() - this.#options.idleTimeoutMs;
    for (const pool of this.#pools.values()) {
      for (const instance of pool.free.filter((free) => free.freeSince < oldest)) pool.retire(instance);
    }
    this.#prelaunched.endUnused(oldest);
    this.#guard.check(this.#all);
  }
}

function poolKey({ namespace, fullName }: DeployedFunction): string {
  return `${namespace}/${fullName}`;
}

/** What could not be brought ahead of the first call is tried again for it, and that one is told. */
function tellTheFirstCall(): void {}

function closing(): HostError {
  return new HostError('closing', 'The host is shutting down.');
}
