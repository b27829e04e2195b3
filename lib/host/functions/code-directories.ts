import { createHash, randomUUID } from 'node:crypto';
import { existsSync, mkdirSync, realpathSync, rmSync, symlinkSync } from 'node:fs';
import { mkdir, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { providesPackages } from '../kinds/kinds.ts';
import { codeDirectoryPrefix } from './code-places.ts';
import type { FunctionRecord } from './function-record.ts';
import { packageMentions } from './package-mentions.ts';
import { makePrivate, removeAside, removeOthers } from './private-directory.ts';
import { unpackZip } from './unpack-zip.ts';
import { WorkingCopies } from './working-copies.ts';

/** What the launcher loads: one file of source (with a twin that ES modules are imported from), or an unpacked zip in a copy of its own. */
export type CodeLocation = ({ readonly file: string; readonly esmFile: string } | { readonly dir: string }) & {
  /** Where its compiled form is kept between instances. */
  readonly cacheDir: string;
};

/** As much of a function's record as says which code it is and which kind runs it. */
export type StoredCode = Pick<FunctionRecord, 'kind' | 'digest' | 'binary'>;

/** The code of all functions, by its digest. */
export interface StoredCodes {
  read(digest: string): Buffer;
  /** Of all that some function is made of. */
  digests(): ReadonlySet<string>;
}

/**
 * The directories that functions run from, outside of any project, so that a function finds the packages its runtime provides, those
 * it brings itself, and nothing else that happens to be installed above. Made from the store whenever they are missing.
 */
export class CodeDirectories {
  readonly #root: string;
  readonly #stored: StoredCodes;
  readonly #provided: readonly string[];
  readonly #copies: Readonly<Record<'provided' | 'bare', WorkingCopies>>;
  readonly #placing = new Map<string, Promise<void>>();
  /** Directories by who needs them: an instance, or what places them. */
  readonly #users = new Map<string, string>();
  /** By directory: the provided packages that the code in it asks for. */
  readonly #needs = new Map<string, readonly string[]>();

  /** `provided` tells where each package is that some kinds provide, or will be once it is installed. */
  constructor(dataDir: string, stored: StoredCodes, provided: ReadonlyMap<string, string>) {
    const digest = createHash('sha256').update(realpathSync(dataDir)).digest('hex').slice(0, 16);
    this.#root = join(realpathSync(tmpdir()), `${codeDirectoryPrefix}${digest}`);
    this.#stored = stored;
    this.#provided = [...provided.keys()];
    makePrivate(this.#root);
    // What a host that was killed left behind belongs to no instance any more.
    rmSync(this.#homes, { recursive: true, force: true });
    mkdirSync(this.#homes, { mode: 0o700 });
    link(provided, join(this.#root, 'provided', 'node_modules'));
    // Below what is provided, so that packages are found from there.
    const copiesIn = (part: string): WorkingCopies => new WorkingCopies(join(this.#root, part, 'copies'));
    this.#copies = { provided: copiesIn('provided'), bare: copiesIn('bare') };
    for (const part of Object.keys(this.#copies)) removeOthers(join(this.#root, part), stored.digests());
  }

  /** A new, empty directory for one instance. */
  makeHome(): string {
    const home = join(this.#homes, randomUUID().slice(0, 8));
    mkdirSync(home, { mode: 0o700 });
    return home;
  }

  removeHome(home: string): void {
    rm(home, { recursive: true, force: true, maxRetries: 3 }).catch(() => {
      // An instance's own process may have locked it down; the next start clears all homes.
    });
  }

  /** Whether an instance can be given a function's code; otherwise it has to be placed first. */
  isReady(record: StoredCode): boolean {
    const directory = this.#directoryOf(record);
    return this.#isPlaced(record) && (!record.binary || this.#copiesFor(record).isReady(directory));
  }

  /** The code for an instance, which must be ready: for a zip a copy of its own, which `release` takes back. */
  use(record: StoredCode, instance: string): CodeLocation {
    const directory = this.#directoryOf(record);
    this.#users.set(instance, directory);
    const cacheDir = `${directory}.cache`;
    if (record.binary) return { dir: this.#copiesFor(record).take(directory, instance), cacheDir };
    return { file: join(directory, 'index.js'), esmFile: join(directory, 'index.mjs'), cacheDir };
  }

  /** An instance is gone, and with it what it ran from. */
  release(instance: string): void {
    for (const copies of Object.values(this.#copies)) {
      copies.release(instance).catch(() => {
        // Its own process may have locked it down; it is not given away again, and the next start clears all.
      });
    }
    if (this.#users.delete(instance)) this.sweep();
  }

  /** Removes code that is in the store no more and that no instance runs: it was replaced, or its function deleted. */
  sweep(): void {
    const digests = this.#stored.digests();
    const used = new Set(this.#users.values());
    for (const directory of this.#needs.keys()) {
      if (used.has(directory) || digests.has(basename(directory))) continue;
      this.#needs.delete(directory);
      for (const copies of Object.values(this.#copies)) copies.forget(directory);
      for (const path of [directory, `${directory}.cache`]) removeAside(path);
    }
  }

  /** The packages a function's code asks for of those that its kind provides; none while it is not placed. */
  needsOf(record: StoredCode): readonly string[] {
    return this.#needs.get(this.#directoryOf(record)) ?? [];
  }

  /** A function turned out to need a package of those that its kind provides; false for one that it does not. */
  addNeed(record: StoredCode, name: string): boolean {
    if (!providesPackages(record.kind) || !this.#provided.includes(name)) return false;
    this.#needs.set(this.#directoryOf(record), [...new Set([...this.needsOf(record), name])]);
    return true;
  }

  /** Places a function's code from the store. HostError `bad_request` where a zip cannot be unpacked. */
  async place(record: StoredCode, code?: Buffer): Promise<void> {
    const placer = randomUUID();
    this.#users.set(placer, this.#directoryOf(record));
    try {
      if (!this.#isPlaced(record)) await this.#placeOnce(record, code);
      if (record.binary) await this.#copiesFor(record).provide(this.#directoryOf(record));
    } finally {
      this.#users.delete(placer);
    }
  }

  async #placeOnce(record: StoredCode, code: Buffer | undefined): Promise<void> {
    const final = this.#directoryOf(record);
    const placing = this.#placing.get(final) ?? this.#place(record, code, final);
    this.#placing.set(final, placing);
    try {
      await placing;
    } finally {
      this.#placing.delete(final);
    }
  }

  /** Removes everything; the store can make it again. */
  remove(): void {
    rmSync(this.#root, { recursive: true, force: true });
  }

  get #homes(): string {
    return join(this.#root, 'homes');
  }

  #directoryOf({ kind, digest }: StoredCode): string {
    return join(this.#root, providesPackages(kind) ? 'provided' : 'bare', digest);
  }

  #copiesFor({ kind }: StoredCode): WorkingCopies {
    return this.#copies[providesPackages(kind) ? 'provided' : 'bare'];
  }

  #isPlaced(record: StoredCode): boolean {
    const directory = this.#directoryOf(record);
    return this.#needs.has(directory) && this.#isWritten(record);
  }

  #isWritten(record: StoredCode): boolean {
    const directory = this.#directoryOf(record);
    return existsSync(record.binary ? directory : join(directory, 'index.mjs'));
  }

  async #place(record: StoredCode, code: Buffer | undefined, final: string): Promise<void> {
    if (!this.#isWritten(record)) await this.#write(record, code ?? this.#stored.read(record.digest), final);
    this.#needs.set(final, providesPackages(record.kind) ? await packageMentions(final, this.#provided) : []);
  }

  async #write(record: StoredCode, code: Buffer, final: string): Promise<void> {
    const unfinished = `${final}.${randomUUID().slice(0, 8)}`;
    await mkdir(unfinished, { recursive: true, mode: 0o700 });
    try {
      if (record.binary) {
        await unpackZip(code, unfinished);
      } else {
        await writeFile(join(unfinished, 'index.js'), code, { mode: 0o600 });
        await writeFile(join(unfinished, 'index.mjs'), code, { mode: 0o600 });
      }
      // Incomplete remains of an earlier copy would make the rename fail.
      await rm(final, { recursive: true, force: true });
      await rename(unfinished, final);
    } catch (error) {
      await rm(unfinished, { recursive: true, force: true });
      throw error;
    }
  }
}

function link(packages: ReadonlyMap<string, string>, modules: string): void {
  for (const [name, directory] of packages) {
    const path = join(modules, name);
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
    rmSync(path, { force: true });
    symlinkSync(directory, path);
  }
}
