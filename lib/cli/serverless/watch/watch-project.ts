import { relative } from 'node:path';
import { watch } from 'chokidar';
import { DeployError } from '../../../deployer/deploy-error.ts';
import type { DeployOutcome } from '../../../deployer/deploy-project.ts';
import type { Project } from '../../../deployer/project.ts';
import { isWatched, type SourceDigests, sourceDigests } from './source-digests.ts';

/** What a watch does with a project. */
export interface WatchOptions {
  /** Reads the project anew; a DeployError is told and waited out. */
  readonly read: () => Project;
  /** Deploys what has changed: these functions, or everything. A DeployError is told and waited out. */
  readonly deploy: (project: Project, changed: readonly string[] | 'everything') => Promise<DeployOutcome>;
  /** Told what became of it, as of everything, unless the watch has ended meanwhile. */
  readonly onDeployed: (outcome: DeployOutcome, project: Project) => void;
  /** Told of what stands in the way, until the next change. */
  readonly onFailure: (failure: DeployError) => void;
  /** Told when changes are looked for, after the first deployment. */
  readonly onReady: () => void;
  readonly signal: AbortSignal;
}

/** Editors and version control write many files in one go. */
const QUIET_MS = 100;

/**
 * Deploys a project, and again what changes in it, until the signal; one deployment at a time. A project that cannot be read or built is told,
 * and the next change tries again. Resolves when the watch has ended.
 */
export async function watchProject(dir: string, options: WatchOptions): Promise<void> {
  const { signal, onReady } = options;
  const watcher = watch(dir, { ignoreInitial: true, ignored: (path) => !isWatched(relative(dir, path)) });
  const changes = new Changes(signal);
  watcher.on('all', () => changes.note());
  // Without a listener an error of the file system, such as a limit of watches, would end the process.
  watcher.on('error', (error) => changes.fail(error));
  try {
    await new Promise<void>((resolve) => watcher.once('ready', () => resolve()));
    let deployed = await deployChanges(null, options);
    if (!signal.aborted) onReady();
    while (await changes.next()) deployed = await deployChanges(deployed, options);
  } finally {
    await watcher.close();
  }
}

/** Deploys what differs from what was deployed before, and returns what was tried: it is not tried again until it changes. */
async function deployChanges(before: SourceDigests | null, options: WatchOptions): Promise<SourceDigests | null> {
  const { read, deploy, onDeployed, onFailure, signal } = options;
  let tried = before;
  try {
    const project = read();
    tried = sourceDigests(project);
    const changed = changesBetween(before, tried);
    if (changed !== 'everything' && changed.length === 0) return tried;
    const outcome = await deploy(project, changed);
    if (!signal.aborted) onDeployed(outcome, project);
  } catch (error) {
    if (!(error instanceof DeployError)) throw error;
    if (!signal.aborted) onFailure(error);
  }
  return tried;
}

function changesBetween(before: SourceDigests | null, now: SourceDigests): readonly string[] | 'everything' {
  if (before === null || before.shared !== now.shared) return 'everything';
  return [...now.functions].filter(([name, digest]) => before.functions.get(name) !== digest).map(([name]) => name);
}

/** Changes as they are noted, handed out when it has been quiet for a moment. Owns a timer. */
class Changes {
  #noted = false;
  #failure: unknown;
  #wake: (() => void) | undefined;
  #timer: NodeJS.Timeout | undefined;
  readonly #signal: AbortSignal;

  constructor(signal: AbortSignal) {
    this.#signal = signal;
    signal.addEventListener('abort', () => this.#wake?.(), { once: true });
  }

  note(): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => {
      this.#noted = true;
      this.#wake?.();
    }, QUIET_MS);
  }

  fail(error: unknown): void {
    this.#failure = error;
    this.#wake?.();
  }

  /** Waits for changes; false when the watch is over. Throws what the file system failed with. */
  async next(): Promise<boolean> {
    while (!this.#noted && !this.#signal.aborted && this.#failure === undefined) {
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    }
    clearTimeout(this.#timer);
    this.#noted = false;
    if (this.#failure !== undefined) throw this.#failure;
    return !this.#signal.aborted;
  }
}
