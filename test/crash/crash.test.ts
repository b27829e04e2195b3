import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';

const runner = fileURLToPath(new URL('../../build/run.mjs', import.meta.url));
const crash = (...args: readonly string[]) => promisify(execFile)(process.execPath, [runner, 'crash', ...args]);

const patienceMs = 5 * 60_000;

test('emulator and host, killed at any moment under load, lose nothing that was acknowledged and leave nothing behind', {
  timeout: patienceMs,
}, async () => {
  const { stdout } = await crash('--rounds', '8').catch((failed: { readonly stdout: string }) => failed);
  expect(stdout).toMatch(/^\| emulator \| 8 \| [1-9][\d,]* \| 0 \|$/m);
  expect(stdout).toMatch(/^\| host \| 8 \| [1-9][\d,]* \| 0 \|$/m);
  expect(stdout).toContain('nothing was lost');
});

test('what cannot be asked for is refused', async () => {
  await expect(crash('--rounds', '0')).rejects.toMatchObject({
    code: 1,
    stderr: expect.stringMatching(/^--rounds: expected an integer from 1 to 99999, got 0\n/),
  });
  await expect(crash('--seed', 'x')).rejects.toMatchObject({ code: 1 });
});
