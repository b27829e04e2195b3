import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { isHeld, report, type Tally } from './tally.ts';

const runner = fileURLToPath(new URL('../../build/run.mjs', import.meta.url));
const chaos = (...args: readonly string[]) => promisify(execFile)(process.execPath, [runner, 'chaos', ...args]);

const patienceMs = 10 * 60_000;

test('every tool answers in time, and with the truth, whatever the platform does to it', { timeout: patienceMs }, async () => {
  const { code, stdout } = await chaos('--short').then(
    (done) => ({ ...done, code: 0 }),
    (failed: { readonly code: number; readonly stdout: string }) => failed,
  );
  expect(stdout).toMatch(/\*\*[3-9]\d{3} cells held, 0 broken\.\*\*/);
  expect(stdout).toMatch(/^Memory in use: .* cells later\.$/m);
  expect(code).toBe(0);
});

test('a sweep that is broken by its memory alone says so', () => {
  const mib = 1024 * 1024;
  const grownBy = (bytes: number): Tally => {
    const heap = { warm: 30 * mib, end: 30 * mib + bytes, cells: 500 };
    return { counts: {}, endings: {}, leastSpareMs: {}, ranOut: 0, broken: [], heap };
  };
  expect(isHeld(grownBy(8 * mib))).toBe(true);
  expect(report(grownBy(8 * mib))).toContain('38.0 MiB 500 cells later.');
  expect(isHeld(grownBy(9 * mib))).toBe(false);
  expect(report(grownBy(9 * mib))).toContain('39.0 MiB 500 cells later: **broken, it may grow by 8.0 MiB**.');
});

test('some cells alone are carried out by their name', async () => {
  const { stdout } = await chaos('--short', '--only', 'key-create, write meets 502, 1000 ms');
  expect(stdout).toMatch(/^\| 502 \| 1 \| 0 .*\| outcome_unknown 1 \|$/m);
  expect(stdout).toContain('**1 cells held, 0 broken.**');
});

test('what cannot be asked for is refused', async () => {
  await expect(chaos('--seed', 'x')).rejects.toMatchObject({
    code: 1,
    stderr: expect.stringMatching(/^--seed: expected an integer from 0, got x\n/),
  });
  await expect(chaos('--shrot')).rejects.toMatchObject({ code: 1, stderr: expect.stringContaining("'--shrot'") });
  await expect(chaos('--short', '--only', 'nothing like it')).rejects.toMatchObject({
    code: 1,
    stderr: expect.stringContaining('nothing like it'),
  });
});
