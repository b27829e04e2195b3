import { constants, mkdirSync, rmSync } from 'node:fs';
import { cp, rm } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { setTimeout } from 'node:timers/promises';

/** A spare is made once the call that took the last one is on its way. */
const spareAfterMs = 20;

interface Copy {
  readonly path: string;
  state: 'making' | 'ready' | 'used' | 'ending';
}

/**
 * Copies of directories, each run from by one instance, so that what an instance writes beside its code is seen by no other and is gone with
 * it. One is kept ahead for every directory in use. Their paths are numbered and used again: compiled code is kept by path.
 */
export class WorkingCopies {
  readonly #root: string;
  readonly #copies = new Map<string, Copy[]>();
  readonly #making = new Map<string, Promise<void>>();
  readonly #holders = new Map<string, Copy>();

  /** `root` is emptied: what a host that was killed left behind has been written to. */
  constructor(root: string) {
    this.#root = root;
    rmSync(root, { recursive: true, force: true });
    mkdirSync(root, { recursive: true, mode: 0o700 });
  }

  /** Whether there is a copy of a directory that nobody has. */
  isReady(original: string): boolean {
    return this.#copies.get(original)?.some(({ state }) => state === 'ready') ?? false;
  }

  /** Resolves when there is one. */
  async provide(original: string): Promise<void> {
    if (this.isReady(original)) return;
    const making = this.#making.get(original) ?? this.#make(original);
    this.#making.set(original, making);
    try {
      await making;
    } finally {
      this.#making.delete(original);
    }
  }

  /** Gives the holder a copy, which must be ready, and makes the next one. */
  take(original: string, holder: string): string {
    const copy = this.#copies.get(original)?.find(({ state }) => state === 'ready');
    if (!copy) throw new Error(`no working copy of ${original} is ready`);
    copy.state = 'used';
    this.#holders.set(holder, copy);
    setTimeout(spareAfterMs, undefined, { ref: false })
      .then(() => this.provide(original))
      .catch(() => {
        // Tried again for the call that needs it, and that one is told.
      });
    return copy.path;
  }

  /** Removes the holder's copy, if it has one. */
  async release(holder: string): Promise<void> {
    const copy = this.#holders.get(holder);
    if (!copy) return;
    this.#holders.delete(holder);
    copy.state = 'ending';
    await rm(copy.path, { recursive: true, force: true, maxRetries: 3 });
    for (const copies of this.#copies.values()) if (copies.includes(copy)) copies.splice(copies.indexOf(copy), 1);
  }

  async #make(original: string): Promise<void> {
    const copies = this.#copies.get(original) ?? [];
    this.#copies.set(original, copies);
    const copy: Copy = { path: this.#freePath(original, copies), state: 'making' };
    copies.push(copy);
    try {
      await cp(original, copy.path, { recursive: true, mode: constants.COPYFILE_FICLONE });
      copy.state = 'ready';
    } catch (error) {
      copies.splice(copies.indexOf(copy), 1);
      await rm(copy.path, { recursive: true, force: true });
      throw error;
    }
  }

  #freePath(original: string, copies: readonly Copy[]): string {
    for (let number = 1; ; number += 1) {
      const path = join(this.#root, `${basename(original)}-${number}`);
      if (!copies.some((copy) => copy.path === path)) return path;
    }
  }
}
