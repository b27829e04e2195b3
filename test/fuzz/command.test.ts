import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, onTestFinished, test } from 'vitest';

const root = fileURLToPath(new URL('../..', import.meta.url));
const vitest = join(root, 'node_modules/vitest/vitest.mjs');
const runner = fileURLToPath(new URL('../../build/run.mjs', import.meta.url));
const fuzz = (...args: readonly string[]) => promisify(execFile)(process.execPath, [runner, 'fuzz', ...args]);

test('a short run has at least a hundred thousand cases', async () => {
  const dir = mkdtempSync(join(tmpdir(), 'deckhand-test-'));
  onTestFinished(() => rmSync(dir, { recursive: true, force: true }));
  const tally = join(dir, 'tally.jsonl');
  const env = { ...process.env, FUZZ_TIMES: '0', FUZZ_TALLY: tally };
  // Each test of this folder but these says how many it has; in one process, since none of them does anything.
  const others = ['test/fuzz', '--exclude', 'test/fuzz/command.test.ts', '--no-isolate', '--maxWorkers=1'];
  await promisify(execFile)(process.execPath, [vitest, 'run', ...others], { cwd: root, env });
  const counts: readonly number[] = readFileSync(tally, 'utf8')
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line).short);
  expect(counts.reduce((sum, count) => sum + count, 0)).toBeGreaterThanOrEqual(100_000);
});

test('what cannot be asked of the long form is refused', async () => {
  await expect(fuzz('--times', 'x')).rejects.toMatchObject({
    code: 1,
    stderr: expect.stringMatching(/^--times: expected a number above 0, up to 10000, got x\n/),
  });
  await expect(fuzz('--seed', '-1')).rejects.toMatchObject({ code: 1 });
});
