import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { rmSync } from 'node:fs';
import { setTimeout } from 'node:timers/promises';
import { defaultKindsDir, KindBinaries } from '../../../lib/host/kinds/kind-binaries.ts';
import { kinds } from '../../../lib/host/kinds/kinds.ts';
import { type HostOptions, startHost } from '../../../lib/host/start-host.ts';
import type { Row } from '../row.ts';
import { interleaved, type Spread } from '../spread.ts';
import { deploy, temporary } from './deployed.ts';
import { open } from './requests.ts';

/** Until an ended instance is gone and a spare one, where there is room for it, is up. */
const settleMs = 150;

interface ColdHost {
  readonly coldCall: () => Promise<number>;
  readonly stop: () => Promise<void>;
}

/** Cold starts of every kind over its own bare `node -e 0`. Kinds whose Node cannot be had here are left out, and named on stderr. */
export async function coldRows(rounds: number): Promise<readonly Row[]> {
  const binaries = new KindBinaries(defaultKindsDir(), () => {});
  const rows: Row[] = [];
  for (const { kind, major } of kinds.toReversed()) {
    try {
      rows.push(...(await rowsOf(kind, await binaries.ensure(kind), major >= 22 ? 1.4 : 2, rounds)));
    } catch (error) {
      process.stderr.write(`${kind} is left out: ${error instanceof Error ? error.message : error}\n`);
    }
  }
  return rows;
}

async function rowsOf(kind: string, nodePath: string, freshTarget: number, rounds: number): Promise<readonly Row[]> {
  const [crowded, roomy] = [await crowdedHost(kind), await roomyHost(kind)];
  try {
    const seen = await interleaved(rounds, [crowded.coldCall, roomy.coldCall, () => bareNode(nodePath)]);
    // One spread for each thing measured.
    const [fresh, prelaunched, control] = seen as [Spread, Spread, Spread];
    const row = (name: string, ours: Spread, target: number): Row => {
      const value = ours.median / control.median;
      return { name: `${kind}, ${name} / node -e 0`, unit: 'ms', ours, control, figure: { of: 'ratio', value, target, better: 'less' } };
    };
    return [row('cold start, not prelaunched', fresh, freshTarget), row('cold start, prelaunched', prelaunched, 0.4)];
  } finally {
    await crowded.stop();
    await roomy.stop();
  }
}

/** A host with room for one instance: there is never a spare one, and of two functions called in turn each evicts the other. */
function crowdedHost(kind: string): Promise<ColdHost> {
  return coldHost({ totalMemoryMib: 256 }, async (host, ask) => {
    let [next, other] = [await deploy(host, 'f', { kind }), await deploy(host, 'g', { kind })];
    return async () => {
      [next, other] = [other, next];
      const ms = await ask(next);
      await setTimeout(settleMs);
      return ms;
    };
  });
}

/** A host with room for spare instances: one is up whenever a new version is called for the first time. */
function roomyHost(kind: string): Promise<ColdHost> {
  return coldHost({}, async (host, ask) => async () => {
    const path = await deploy(host, 'f', { kind });
    await setTimeout(settleMs);
    return ask(path);
  });
}

type Make = (host: Awaited<ReturnType<typeof startHost>>, ask: (path: string) => Promise<number>) => Promise<ColdHost['coldCall']>;

async function coldHost(options: Partial<HostOptions>, make: Make): Promise<ColdHost> {
  const dataDir = temporary();
  const host = await startHost({ dataDir, callsPerMinute: Number.POSITIVE_INFINITY, ...options });
  const connection = await open(host.port);
  const coldCall = await make(host, connection.ask);
  // The first calls find files that nobody has read yet.
  await coldCall();
  await coldCall();
  const stop = async (): Promise<void> => {
    connection.close();
    await host.close();
    rmSync(dataDir, { recursive: true, force: true });
  };
  return { coldCall, stop };
}

async function bareNode(nodePath: string): Promise<number> {
  const startedAt = performance.now();
  await once(spawn(nodePath, ['-e', '0'], { stdio: 'ignore' }), 'exit');
  return performance.now() - startedAt;
}
