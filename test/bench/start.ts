import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import type { Row } from './row.ts';
import { interleaved, type Spread } from './spread.ts';

export interface StartBenchOptions {
  readonly rounds?: number;
}

const root = fileURLToPath(new URL('../../', import.meta.url));

/** Measures `npm start` until it says that it is ready, in one data directory: with nothing changed, and with every bundle to be built again. */
export async function run({ rounds = 3 }: StartBenchOptions = {}): Promise<readonly Row[]> {
  const dataDir = mkdtempSync(join(tmpdir(), 'deckhand-bench-'));
  try {
    await untilReady(dataDir);
    const rebuilt = async (): Promise<number> => {
      removeBundles();
      return untilReady(dataDir);
    };
    // One spread for each thing measured.
    const [unchanged, built, bare] = (await interleaved(rounds, [() => untilReady(dataDir), rebuilt, bareNode])) as [
      Spread,
      Spread,
      Spread,
    ];
    return [row('nothing changed / node -e 0', unchanged, bare, 5000), row('all bundles rebuilt / node -e 0', built, bare, 15_000)];
  } finally {
    rmSync(dataDir, { recursive: true, force: true });
  }
}

function row(name: string, ours: Spread, control: Spread, target: number): Row {
  return { name, unit: 'ms', ours, control, figure: { of: 'difference', value: ours.median - control.median, target, better: 'less' } };
}

/** From the command to its line `{"ready": true, ...}`, in milliseconds; ends it again. */
async function untilReady(dataDir: string): Promise<number> {
  const startMs = performance.now();
  const args = ['build/run.mjs', 'start', '--json', '--port', '0', '--platform-port', '0', '--data', dataDir];
  const child = spawn(process.execPath, args, { cwd: root, stdio: ['ignore', 'pipe', 'inherit'] });
  const exited = once(child, 'exit');
  const said = await Promise.race([once(createInterface(child.stdout), 'line'), exited.then(() => undefined)]);
  const tookMs = performance.now() - startMs;
  if (said === undefined) throw new Error('npm start ended before it was ready; its own words are above');
  child.kill('SIGTERM');
  await exited;
  return tookMs;
}

/** The bundles, and what says from what they were built. */
function removeBundles(): void {
  const packages = join(root, 'packages');
  for (const name of readdirSync(packages, { recursive: true, encoding: 'utf8' })) {
    if (/(^|[\\/])bundle\.(js|meta\.json)$/.test(name) && !name.includes('node_modules')) rmSync(join(packages, name));
  }
}

async function bareNode(): Promise<number> {
  const startMs = performance.now();
  await once(spawn(process.execPath, ['-e', '0'], { stdio: 'ignore' }), 'exit');
  return performance.now() - startMs;
}
