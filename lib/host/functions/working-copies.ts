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
  readonly #copies = new Map<string, readonly Copy[]>();
  readonly #making = new Map<string, Promise<void>>();
  readonly #holders = new Map<string, { readonly original: string; readonly copy: Copy }>();

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
    this.#holders.set(holder, { original, copy });
    setTimeout(spareAfterMs, undefined, { ref: false })
      .then(() => this.provide(original))
      .catch(() => {
        // Tried again for the call that needs it, and that one is told.
      });
    return copy.path;
  }

  /** Removes the holder's copy, if it has one. */
  async release(holder: string): Promise<void> {
    const held = this.#holders.get(holder);
    if (!held) return;
    this.#holders.delete(holder);
    await this.#remove(held.original, held.copy);
  }

  /** The original is gone: so are the copies that nobody has. */
  forget(original: string): void {
    for (const copy of this.#copies.get(original) ?? []) {
      if (copy.state === 'making') copy.state = 'ending';
      if (copy.state !== 'ready') continue;
      this.#remove(original, copy).catch(() => {
        // The next start clears what is left.
      });
    }
  }

  async #make(original: string): Promise<void> {
    const copies = this.#copies.get(original) ?? [];
    const copy: Copy = { path: this.#freePath(original, copies), state: 'making' };
    this.#copies.set(original, [...copies, copy]);
    try {
      await cp(original, copy.path, { recursive: true, mode: constants.COPYFILE_FICLONE });
    } catch (error) {
      await this.#remove(original, copy);
      throw error;
    }
    // Meanwhile it may have become one of what is gone.
    if (copy.state === 'making') copy.state = 'ready';
    else await this.#remove(original, copy);
  }

  /** A copy that cannot be removed keeps its number, and so is not given away again. */
  async #remove(original: string, copy: Copy): Promise<void> {
    copy.state = 'ending';
    await rm(copy.path, { recursive: true, force: true, maxRetries: 3 });
    const left = (this.#copies.get(original) ?? []).filter((other) => other !== copy);
    if (left.length > 0) this.#copies.set(original, left);
    else this.#copies.delete(original);
  }

  #freePath(original: string, copies: readonly Copy[]): string {
    for (let number = 1; ; number += 1) {
      const path = join(this.#root, `${basename(original)}-${number}`);
      if (!copies.some((copy) => copy.path === path)) return path;
    }
  }
}
