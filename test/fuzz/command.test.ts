import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';

const runner = fileURLToPath(new URL('../../build/run.mjs', import.meta.url));
const fuzz = (...args: readonly string[]) => promisify(execFile)(process.execPath, [runner, 'fuzz', ...args]);

test('what cannot be asked of the long form is refused', async () => {
  await expect(fuzz('--times', 'x')).rejects.toMatchObject({
    code: 1,
    stderr: expect.stringMatching(/^--times: expected a number above 0, up to 10000, got x\n/),
  });
  await expect(fuzz('--seed', '-1')).rejects.toMatchObject({ code: 1 });
});
