import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { providesPackages } from './kinds.ts';
import { npmInstall } from './npm-install.ts';
import { wayOut } from './way-out.ts';
import { makeWhole } from './whole-directory.ts';

/** After a failure, functions start without the packages for so long before it is tried again. */
const retryAfterMs = 60_000;

/** Packages by name with their major versions. */
type Majors = Readonly<Record<string, number>>;

/**
 * What nodejs:22 and nodejs:24 provide (specification 3, "Packages provided by the runtime"), in sets that are installed together. The
 * command-line library stands alone: it depends on a repository that is not on npm, and must not keep the others away where that cannot be reached.
 */
const sets: readonly Majors[] = [
  {
    '@aws-sdk/client-s3': 3,
    axios: 1,
    cheerio: 1,
    gm: 1,
    jsonwebtoken: 9,
    mongodb: 6,
    mysql2: 3,
    openwhisk: 3,
    pg: 8,
    redis: 4,
    'serialize-error': 3,
    yaml: 2,
  },
  { '@nimbella/nimbella-cli': 4 },
];

interface Failure {
  readonly reason: string;
  readonly wayOut: string | undefined;
  /** On the clock of `performance.now()`. */
  readonly at: number;
}

/** The packages that some kinds provide: installed with npm into `kindsDir`, once, when a function needs one of them. */
export class ProvidedPackages {
  readonly #kindsDir: string;
  readonly #onProgress: (line: string) => void;
  readonly #installing = new Map<Majors, Promise<void>>();
  readonly #failures = new Map<Majors, Failure>();
  readonly #closing = new AbortController();

  constructor(kindsDir: string, onProgress: (line: string) => void) {
    this.#kindsDir = kindsDir;
    this.#onProgress = onProgress;
  }

  /** Every package by name, with the directory it is in as soon as it is installed. */
  get directories(): ReadonlyMap<string, string> {
    const entries = sets.flatMap((set) => Object.keys(set).map((name) => [name, join(this.#modulesOf(set), name)] as const));
    return new Map(entries);
  }

  /** Whether one of these is not installed and can be tried to. */
  areOpen(names: readonly string[]): boolean {
    return this.#openSets(names).length > 0;
  }

  /** Installs what is missing of these; never rejects: what cannot be had is told by `advice`. */
  async settle(names: readonly string[]): Promise<void> {
    await Promise.all(
      this.#openSets(names).map((set) => {
        const running = this.#installing.get(set) ?? this.#install(set).finally(() => this.#installing.delete(set));
        this.#installing.set(set, running);
        return running;
      }),
    );
  }

  /** What to tell about a package that a function of that kind did not find; undefined for one that no kind provides. */
  advice(name: string, kind: string): string | undefined {
    const set = sets.find((each) => Object.hasOwn(each, name));
    if (!set) return undefined;
    if (!providesPackages(kind)) return `${kind} provides no packages: put ${name} into the dependencies of the function's package.json`;
    const failure = this.#failures.get(set);
    if (failure) {
      const again = [failure.wayOut, `call again after ${retryAfterMs / 1000} s`].filter((part) => part !== undefined).join(' and ');
      const ways = `${again}, or put ${name} into the function's package.json`;
      return `${kind} provides ${name}, but it could not be installed here: ${failure.reason}; ${ways}`;
    }
    return this.#isInstalled(set)
      ? undefined
      : `${kind} provides ${name}; it is being installed, because this is the first call for it: call again`;
  }

  /** Breaks off what is being installed; resolves when nothing of it is left. */
  async close(): Promise<void> {
    this.#closing.abort();
    await Promise.all(this.#installing.values());
  }

  #openSets(names: readonly string[]): readonly Majors[] {
    const now = performance.now();
    const failedLately = (set: Majors): boolean => (this.#failures.get(set)?.at ?? Number.NEGATIVE_INFINITY) > now - retryAfterMs;
    return sets.filter((set) => names.some((name) => Object.hasOwn(set, name)) && !this.#isInstalled(set) && !failedLately(set));
  }

  #directoryOf(set: Majors): string {
    const digest = createHash('sha256').update(JSON.stringify(set)).digest('hex').slice(0, 12);
    return join(this.#kindsDir, `provided-${digest}`);
  }

  #modulesOf(set: Majors): string {
    return join(this.#directoryOf(set), 'node_modules');
  }

  #isInstalled(set: Majors): boolean {
    return existsSync(this.#modulesOf(set));
  }

  async #install(set: Majors): Promise<void> {
    const wanted = Object.entries(set).map(([name, major]) => `${name}@${major}`);
    const what = Object.keys(set).join(', ');
    this.#onProgress(`nodejs:22, nodejs:24: installing the packages they provide with npm, once: ${what}`);
    const isWhole = (): boolean => this.#isInstalled(set);
    try {
      await makeWhole(this.#directoryOf(set), isWhole, async (unfinished) => {
        await npmInstall(wanted, unfinished, this.#closing.signal);
        return unfinished;
      });
      this.#failures.delete(set);
      this.#onProgress(`nodejs:22, nodejs:24: ready: ${what}`);
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      this.#failures.set(set, { reason, wayOut: wayOut(error), at: performance.now() });
      this.#onProgress(`nodejs:22, nodejs:24: could not install ${what}: ${reason}`);
    }
  }
}
