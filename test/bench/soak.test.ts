import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';

const runner = fileURLToPath(new URL('../../build/run.mjs', import.meta.url));
const bench = (...args: readonly string[]) => promisify(execFile)(process.execPath, [runner, 'bench', ...args]);

const patienceMs = 5 * 60_000;

/** What a soak of six seconds has found; as long as that takes, where a longer one would fail on what it finds. */
async function soaked(what: string): Promise<string> {
  const { stdout } = await bench('--soak', what, '--minutes', '0.1').catch((failed: { readonly stdout: string }) => failed);
  return stdout;
}

const held = (name: string) => expect.stringMatching(new RegExp(`\\| ${name} \\| .* \\| held \\|`));

test('a short soak of the host loses no call and no record, and leaves no process, directory or handle', {
  timeout: patienceMs,
}, async () => {
  const found = await soaked('host');
  for (const name of ['answered as they should be', 'recorded', 'the host, told to end', 'processes and directories left'])
    expect(found).toEqual(held(name));
  expect(found).toContain('100 of 100');
});

test('a short soak of everything gets the right answers, loses nothing, and leaves nothing behind', { timeout: patienceMs }, async () => {
  const found = await soaked('all');
  for (const name of [
    'answered as they should be',
    "activations of this repository's functions",
    'activations of other functions',
    'last deliveries in the log of a hook',
    'notices to people',
    'the deployment, told to end',
    'processes and directories left',
  ])
    expect(found).toEqual(held(name));
});

test('a soak of what there is none for is refused, naming what can be asked for', async () => {
  await expect(bench('--soak', 'router')).rejects.toMatchObject({
    code: 1,
    stderr: expect.stringMatching(/^--soak: expected host or all, got router\n/),
  });
  await expect(bench('--soak', 'host', '--minutes', '0')).rejects.toMatchObject({
    code: 1,
    stderr: expect.stringMatching(/^--minutes: expected/),
  });
});
