import type { InstanceSpec } from './function-pool.ts';
import type { Instance } from './instance.ts';

interface Spare {
  instance: Instance | undefined;
  /** On the clock of `performance.now()`. */
  lastUsed: number;
}

/** One process, up and with nothing loaded, for each kind and memory size that was lately used: it makes the next cold start a short one. */
export class Prelaunched {
  readonly #launch: (spec: InstanceSpec) => Instance | undefined;
  readonly #spares = new Map<string, Spare>();

  /** `launch` starts a process, or returns undefined while there is no memory for a spare one. */
  constructor(launch: (spec: InstanceSpec) => Instance | undefined) {
    this.#launch = launch;
  }

  /** Sees to it that there is one of this kind. */
  keep(spec: InstanceSpec): void {
    const spare = this.#spareOf(spec);
    if (!spare.instance || spare.instance.isEnding) spare.instance = this.#launch(spec);
  }

  take(spec: InstanceSpec): Instance | undefined {
    const spare = this.#spareOf(spec);
    const { instance } = spare;
    spare.instance = undefined;
    return instance?.isEnding ? undefined : instance;
  }

  /** Keeps an instance that was not needed after all; false where there is one already. */
  put(spec: InstanceSpec, instance: Instance): boolean {
    const spare = this.#spareOf(spec);
    if (spare.instance && !spare.instance.isEnding) return false;
    spare.instance = instance;
    return true;
  }

  forget(instance: Instance): void {
    for (const spare of this.#spares.values()) if (spare.instance === instance) spare.instance = undefined;
  }

  /** Ends one of them; false if there is none. */
  endOne(): boolean {
    for (const spare of this.#spares.values()) {
      const { instance } = spare;
      spare.instance = undefined;
      if (!instance || instance.isEnding) continue;
      instance.end('retired');
      return true;
    }
    return false;
  }

  /** Ends those of kinds and sizes that nobody has asked for since. */
  endUnused(since: number): void {
    for (const [key, { instance, lastUsed }] of this.#spares) {
      if (lastUsed >= since) continue;
      this.#spares.delete(key);
      instance?.end('retired');
    }
  }

  #spareOf({ nodePath, memoryMib, inspector }: InstanceSpec): Spare {
    const key = `${memoryMib} ${inspector ? 'inspected ' : ''}${nodePath}`;
    const spare = this.#spares.get(key) ?? { instance: undefined, lastUsed: 0 };
    this.#spares.set(key, spare);
    spare.lastUsed = performance.now();
    return spare;
  }
}
