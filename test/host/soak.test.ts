import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';

const runner = fileURLToPath(new URL('../../build/run.mjs', import.meta.url));
const bench = (...args: readonly string[]) => promisify(execFile)(process.execPath, [runner, 'bench', ...args]);

test('a short soak loses no call and no record, and leaves no process, directory or handle', async () => {
  const { stdout } = await bench('--soak', 'host', '--minutes', '0.1').catch((failed: { readonly stdout: string }) => failed);
  const held = (name: string) => expect(stdout).toMatch(new RegExp(`\\| ${name} \\| .* \\| held \\|`));
  for (const name of ['answered as they should be', 'recorded', 'the host, told to end', 'processes and directories left']) held(name);
  expect(stdout).toContain('100 of 100');
});

test('a soak of what there is none for is refused, naming what can be asked for', async () => {
  await expect(bench('--soak', 'router')).rejects.toMatchObject({
    code: 1,
    stderr: expect.stringMatching(/^--soak: only the host is soaked\n/),
  });
  await expect(bench('--soak', '--minutes', '0')).rejects.toMatchObject({ code: 1, stderr: expect.stringMatching(/^--minutes: expected/) });
});
