import { execFile } from 'node:child_process';
import type { Instance } from './instance.ts';
import { hasChildren, privateKib, processGroups } from './process-groups.ts';

const sampleMs = 50;
const slowSampleMs = 500;
/** Looking for who belongs to which group takes longer than looking at those that are known. */
const groupsEveryMs = 200;
const kibPerMib = 1024;

/**
 * Ends instances whose process, with whatever it started, holds more memory than their function may use. The heap is bounded by Node itself;
 * this bounds what lies outside of it, such as buffers and child processes. It looks only while something is watched.
 */
export class MemoryGuard {
  readonly #watched = new Set<Instance>();
  #timer: NodeJS.Timeout | undefined;
  #groups: ReadonlyMap<number, readonly number[]> = new Map();
  /** On the clock of `performance.now()`. */
  #groupsReadAt = Number.NEGATIVE_INFINITY;

  watch(instance: Instance): void {
    this.#watched.add(instance);
    this.#timer ??= setInterval(() => this.#sample(), process.platform === 'linux' ? sampleMs : slowSampleMs);
  }

  unwatch(instance: Instance): void {
    this.#watched.delete(instance);
    if (this.#watched.size > 0) return;
    clearInterval(this.#timer);
    this.#timer = undefined;
  }

  /** Looks at instances once, whether they are watched or not, and at all that they started. */
  check(instances: Iterable<Instance>): void {
    const all = [...instances];
    if (all.length === 0) return;
    if (process.platform !== 'linux') {
      checkWithPs(all);
      return;
    }
    this.#readGroups();
    for (const instance of all) judge(instance, this.#heldKib(instance));
  }

  #sample(): void {
    if (process.platform !== 'linux') {
      checkWithPs([...this.#watched]);
      return;
    }
    const isStale = performance.now() - this.#groupsReadAt > groupsEveryMs;
    if (isStale && [...this.#watched].some(({ pid }) => pid !== undefined && hasChildren(pid))) this.#readGroups();
    for (const instance of this.#watched) judge(instance, this.#heldKib(instance));
  }

  #readGroups(): void {
    this.#groups = processGroups();
    this.#groupsReadAt = performance.now();
  }

  #heldKib({ pid }: Instance): number {
    if (pid === undefined) return 0;
    const members = this.#groups.get(pid) ?? [pid];
    return members.reduce((sum, member) => sum + privateKib(member), 0);
  }
}

function judge(instance: Instance, kib: number): void {
  if (kib > instance.memoryMib * kibPerMib) instance.end('memory');
}

function checkWithPs(instances: readonly Instance[]): void {
  execFile('ps', ['-axo', 'pgid=,rss='], (_error, stdout) => {
    const held = new Map<number, number>();
    for (const line of stdout.split('\n')) {
      const [group = 0, rssKib = 0] = line.trim().split(/\s+/).map(Number);
      held.set(group, (held.get(group) ?? 0) + rssKib);
    }
    for (const instance of instances) judge(instance, held.get(instance.pid ?? 0) ?? 0);
  });
}
