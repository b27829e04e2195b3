import { randomBytes, randomUUID } from 'node:crypto';
import { mkdirSync, rmSync } from 'node:fs';
import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { HostError } from '../host-error.ts';

const mostSlices = 20;
const keptMs = 10 * 60 * 1000;

interface Slice {
  readonly namespace: string;
  readonly file: string;
  readonly expiresMs: number;
  state: 'awaited' | 'arriving' | 'here';
}

/** What clients send to be built, from the permission to send it until it is built: once each, for ten minutes at most. */
export class Slices {
  readonly #dir: string;
  readonly #slices = new Map<string, Slice>();
  /** By the secret in the address they are sent to. */
  readonly #addresses = new Map<string, Slice>();

  constructor(dataDir: string) {
    this.#dir = join(dataDir, 'slices');
    // Left by a host that was killed.
    this.clear();
  }

  /** Lets a namespace send a slice. HostError `too_many_requests` where too many wait to be built. */
  expect(namespace: string): { readonly sliceName: string; readonly secret: string } {
    this.#dropOld();
    if (this.#slices.size >= mostSlices) {
      throw new HostError('too_many_requests', `${mostSlices} remote builds are under way: wait until one has ended`);
    }
    mkdirSync(this.#dir, { recursive: true, mode: 0o700 });
    const sliceName = randomUUID();
    const secret = randomBytes(32).toString('hex');
    const slice: Slice = { namespace, file: join(this.#dir, `${sliceName}.zip`), expiresMs: Date.now() + keptMs, state: 'awaited' };
    this.#slices.set(sliceName, slice);
    this.#addresses.set(secret, slice);
    return { sliceName, secret };
  }

  /** Takes what is sent to an address, which is used up by that. HostError `not_found` for one that is not, or not any more. */
  async receive(secret: string, read: () => Promise<Buffer>): Promise<void> {
    this.#dropOld();
    const slice = this.#addresses.get(secret);
    if (!slice) throw new HostError('not_found', 'There is nothing to upload here: an address is good for one upload, within ten minutes.');
    this.#addresses.delete(secret);
    slice.state = 'arriving';
    await writeFile(slice.file, await read(), { mode: 0o600 });
    slice.state = 'here';
  }

  /** The zip a namespace sent, to be built once. HostError `not_found`. */
  async take(namespace: string, sliceName: string): Promise<Buffer> {
    const slice = this.#slices.get(sliceName);
    if (slice?.namespace !== namespace || slice.state !== 'here') {
      throw new HostError('not_found', `there is no slice ${sliceName.slice(0, 80)}: ask for an upload address and send it first`);
    }
    this.#slices.delete(sliceName);
    try {
      return await readFile(slice.file);
    } finally {
      await rm(slice.file, { force: true });
    }
  }

  clear(): void {
    rmSync(this.#dir, { recursive: true, force: true });
  }

  #dropOld(): void {
    for (const [name, { file, expiresMs }] of this.#slices) {
      if (expiresMs > Date.now()) continue;
      this.#slices.delete(name);
      rmSync(file, { force: true });
    }
    for (const [secret, { expiresMs }] of this.#addresses) if (expiresMs <= Date.now()) this.#addresses.delete(secret);
  }
}
