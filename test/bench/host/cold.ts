import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { rmSync } from 'node:fs';
import { setTimeout } from 'node:timers/promises';
import { defaultKindsDir, KindBinaries } from '../../../lib/host/kinds/kind-binaries.ts';
import { kinds } from '../../../lib/host/kinds/kinds.ts';
import { type HostOptions, startHost } from '../../../lib/host/start-host.ts';
import type { Effort } from '../harness/effort.ts';
import { interleave } from '../harness/interleave.ts';
import { type Table, tabulate } from '../harness/table.ts';
import { deploy, temporary } from './deployed.ts';
import { open } from './requests.ts';

/** Until an ended instance is gone and a spare one, where there is room for it, is up. */
const settleMs = 150;

interface ColdHost {
  readonly coldCall: () => Promise<number>;
  readonly stop: () => Promise<void>;
}

/**
 * Cold starts of every kind over its own bare `node -e 0`; the quick form has only the kind of this Node, which needs no fetching. Kinds whose Node
 * cannot be had here are left out, and named on stderr.
 */
export async function coldTables(effort: Effort): Promise<readonly Table[]> {
  const binaries = new KindBinaries(defaultKindsDir(), () => {});
  const tables: Table[] = [];
  for (const { kind, major } of kinds.toReversed()) {
    if (effort.isQuick && major !== Number.parseInt(process.versions.node, 10)) continue;
    try {
      tables.push(await tableOf(kind, await binaries.ensure(kind), major >= 22 ? 1.4 : 2, effort));
    } catch (error) {
      process.stderr.write(`${kind} is left out: ${error instanceof Error ? error.message : error}\n`);
    }
  }
  return tables;
}

async function tableOf(kind: string, nodePath: string, freshTarget: number, effort: Effort): Promise<Table> {
  const [crowded, roomy] = [await crowdedHost(kind), await roomyHost(kind)];
  const title = `A cold start of ${kind}`;
  const timed = (work: () => Promise<number>) => async () => ({ ms: await work() });
  const measures = { node: timed(() => bareNode(nodePath)), fresh: timed(crowded.coldCall), prelaunched: timed(roomy.coldCall) };
  try {
    const seen = await interleave(effort, { title, control: 'node', watched: 'ms', measures });
    const shown = {
      node: { name: '`node -e 0` of the kind' },
      fresh: { name: 'not prelaunched', mark: { of: 'ratio', atMost: freshTarget } },
      prelaunched: { name: 'prelaunched', mark: { of: 'ratio', atMost: 0.4 } },
    } as const;
    return tabulate(seen, { title, unit: 'ms', metric: 'ms', shown });
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
