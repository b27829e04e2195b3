import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, onTestFinished, test } from 'vitest';
import { asking } from './soak/asking.ts';
import { answersFindings } from './soak/finding.ts';

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

test('an answer that is wrong, or never comes, is not counted as right', async () => {
  const server = createServer((request, response) => {
    if (request.url !== '/never') response.writeHead(request.url === '/right' ? 200 : 500).end('{}');
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    server.close();
    server.closeAllConnections();
  });
  // Safe: the server listens on a TCP port.
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const [seen, hurried] = [asking(), asking(50)];
  expect(await seen.ask({ url: `${url}/right` })).toEqual({});
  await expect(seen.ask({ url: `${url}/wrong` })).rejects.toThrow('GET /wrong: 500 {}');
  expect(answersFindings(seen.right, seen.made, [])).toEqual([expect.objectContaining({ seen: '1 of 2', isGood: false })]);
  await expect(hurried.ask({ url: `${url}/never` })).rejects.toThrow('GET /never: no answer within 50 ms');
  expect(answersFindings(hurried.right, hurried.made, [])).toEqual([expect.objectContaining({ seen: '0 of 1', isGood: false })]);
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
