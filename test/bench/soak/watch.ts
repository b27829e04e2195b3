import { type Dirent, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { Deployment } from './deployment.ts';
import { type Finding, finding, flatBytes, flatCount, mib } from './finding.ts';
import { growthIn, secondHalf } from './growth.ts';
import type { Holdings } from './holdings.ts';
import { childrenOf, descriptorsOf, residentOf } from './processes.ts';

/** What a deployment and its functions take at one moment. Bytes and counts. */
interface Sample {
  readonly held: Holdings;
  readonly descriptors: number;
  /** Resident memory of each process that the deployment has started. */
  readonly functions: ReadonlyMap<number, number>;
  readonly files: Files;
}

/** What lies on disk: how many entries, the bytes of the largest log of a store, and those of all stores but that of the activations. */
interface Files {
  readonly count: number;
  readonly logBytes: number;
  readonly storeBytes: number;
}

export interface Watch {
  take(): Promise<void>;
  findings(): readonly Finding[];
}

/** Looks at a deployment at even times, and judges whether it stays as it is. */
export function watchOf(deployment: Deployment): Watch {
  const samples: Sample[] = [];
  return {
    async take() {
      const functions = new Map(childrenOf(deployment.pid).map((pid) => [pid, residentOf(pid) ?? 0]));
      const held = await deployment.holdings();
      samples.push({ held, descriptors: descriptorsOf(deployment.pid), functions, files: filesOf(deployment) });
    },
    findings: () => [
      flatBytes(
        'heap in use after collection',
        values(samples, ({ held }) => held.heapUsed),
        mib,
      ),
      flatBytes(
        'memory outside of the heap after collection',
        values(samples, ({ held }) => held.external),
        mib,
      ),
      flatBytes(
        'resident memory of emulator and host',
        values(samples, ({ held }) => held.rss),
        16 * mib,
      ),
      functionsFinding(samples),
      flatCount(
        'processes of functions',
        values(samples, ({ functions }) => functions.size),
        3,
      ),
      flatCount(
        'handles',
        values(samples, ({ held }) => held.resources),
        5,
      ),
      flatCount(
        'file descriptors',
        values(samples, ({ descriptors }) => descriptors),
        5,
      ),
      flatCount(
        'files',
        values(samples, ({ files }) => files.count),
        20,
      ),
      flatBytes(
        'stores on disk, activations aside',
        values(samples, ({ files }) => files.storeBytes),
        4 * mib,
      ),
      logFinding(samples),
    ],
  };
}

function values(samples: readonly Sample[], of: (sample: Sample) => number): readonly number[] {
  return samples.map(of);
}

/** Of the processes that were there all through the second half, the one that grew most. */
function functionsFinding(samples: readonly Sample[]): Finding {
  const late = secondHalf(samples).map(({ functions }) => functions);
  const [first, ...others] = late;
  const lasting = [...(first?.keys() ?? [])].filter((pid) => others.every((functions) => functions.has(pid)));
  const grown = lasting.map((pid) => growthIn(late.map((functions) => functions.get(pid) ?? 0)).growth);
  const most = Math.max(0, ...grown);
  const seen = `${lasting.length} that last, +${(most / mib).toFixed(1)} MiB at most over the second half`;
  return finding("resident memory of functions' processes", seen, 'each grows by less than 16.0 MiB', most < 16 * mib);
}

function logFinding(samples: readonly Sample[]): Finding {
  const most = Math.max(0, ...samples.map(({ files }) => files.logBytes)) / mib;
  return finding('the largest log of a store', `${most.toFixed(1)} MiB`, 'under 48 MiB', most < 48);
}

function filesOf({ dataDir, workDir }: Deployment): Files {
  const entries = [dataDir, workDir].flatMap(entriesIn);
  const stores = entries.filter((path) => path.endsWith('.sqlite') && !path.endsWith('host.sqlite'));
  return {
    count: entries.length,
    logBytes: Math.max(0, ...entries.filter((path) => path.endsWith('-wal')).map(sizeOf)),
    storeBytes: stores.map(sizeOf).reduce((sum, size) => sum + size, 0),
  };
}

/** The paths of all that lies in a directory, however deep. What goes away meanwhile is not there. */
function entriesIn(directory: string): readonly string[] {
  return readDirectory(directory).flatMap((entry) => {
    const path = join(directory, entry.name);
    return entry.isDirectory() ? [path, ...entriesIn(path)] : [path];
  });
}

function readDirectory(directory: string): readonly Dirent[] {
  try {
    return readdirSync(directory, { withFileTypes: true });
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return [];
    throw error;
  }
}

/** What is gone by now takes nothing. */
function sizeOf(path: string): number {
  return statSync(path, { throwIfNoEntry: false })?.size ?? 0;
}
