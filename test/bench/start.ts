import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import type { Effort } from './harness/effort.ts';
import { interleave } from './harness/interleave.ts';
import { type Table, tabulate } from './harness/table.ts';

const root = fileURLToPath(new URL('../../', import.meta.url));

/**
 * Measures `npm start` until it says that it is ready, in one data directory: with nothing changed, and with every bundle to be built again. The quick
 * form leaves the bundles alone, which others may be using.
 */
export async function run(effort: Effort): Promise<readonly Table[]> {
  const dataDir = mkdtempSync(join(tmpdir(), 'deckhand-bench-'));
  const title = '`npm start` with all functions';
  const rebuilt = () => {
    removeBundles();
    return untilReady(dataDir);
  };
  const measures = { node: bareNode, unchanged: () => untilReady(dataDir), rebuilt: effort.isQuick ? undefined : rebuilt };
  try {
    const seen = await interleave(effort, { title, control: 'node', watched: 'ms', measures });
    const shown = {
      node: { name: '`node -e 0`' },
      unchanged: { name: 'nothing changed', mark: { of: 'value', atMost: 5000 } },
      rebuilt: { name: 'all bundles rebuilt', mark: { of: 'value', atMost: 15_000 } },
    } as const;
    return [tabulate(seen, { title, unit: 'ms', metric: 'ms', shown })];
  } finally {
    rmSync(dataDir, { recursive: true, force: true });
  }
}

interface Took {
  readonly ms: number;
}

/** From the command to its line `{"ready": true, ...}`, in milliseconds; ends it again. */
async function untilReady(dataDir: string): Promise<Took> {
  const startMs = performance.now();
  const args = ['build/run.mjs', 'start', '--json', '--port', '0', '--platform-port', '0', '--data', dataDir];
  const child = spawn(process.execPath, args, { cwd: root, stdio: ['ignore', 'pipe', 'inherit'] });
  const exited = once(child, 'exit');
  const said = await Promise.race([once(createInterface(child.stdout), 'line'), exited.then(() => undefined)]);
  const ms = performance.now() - startMs;
  if (said === undefined) throw new Error('npm start ended before it was ready; its own words are above');
  child.kill('SIGTERM');
  await exited;
  return { ms };
}

/** The bundles, and what says from what they were built. */
function removeBundles(): void {
  const packages = join(root, 'packages');
  for (const name of readdirSync(packages, { recursive: true, encoding: 'utf8' })) {
    if (/(^|[\\/])bundle\.(js|meta\.json)$/.test(name) && !name.includes('node_modules')) rmSync(join(packages, name));
  }
}

async function bareNode(): Promise<Took> {
  const startMs = performance.now();
  await once(spawn(process.execPath, ['-e', '0'], { stdio: 'ignore' }), 'exit');
  return { ms: performance.now() - startMs };
}
