import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync } from 'node:fs';
import { request } from 'node:http';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, onTestFinished, test } from 'vitest';
import { actionBody, type TestHost, talkTo, tempDir, testHost } from './support/test-host.ts';
import { zip } from './support/zip.ts';

const main = fileURLToPath(new URL('../../lib/host/main.ts', import.meta.url));
const answering = (text: string) => `exports.main = () => ({ body: ${JSON.stringify(text)} })`;

test('many deployments at once are all made, and every one counts as a version', async () => {
  const host = await testHost();
  await host.api('PUT', 'packages/p', {});
  const names = Array.from({ length: 8 }, (_, index) => `p/f${index}`);
  const zips = await Promise.all(names.map((name) => zip({ 'index.js': answering(name) })));
  const replies = await Promise.all(names.map((name, index) => host.deploy(name, zips[index] ?? '')));
  expect(replies.map(({ status, body }) => [status, body.version])).toEqual(names.map(() => [200, '0.0.1']));
  expect(await Promise.all(names.map(async (name) => (await host.web(name)).text()))).toEqual(names);

  const same = await Promise.all(
    names.map((name) => host.api('PUT', 'actions/p/same?overwrite=true', actionBody({ code: answering(name) }))),
  );
  expect(same.map(({ body }) => body.version).sort()).toEqual(names.map((_, index) => `0.0.${index + 1}`));
  const { body } = await host.api('GET', 'actions/p/same');
  expect(body.version).toBe('0.0.8');
  expect(answering(await (await host.web('p/same')).text())).toBe(body.exec.code);
});

test('a package that is deleted while code is unpacked for it has no function afterwards', async () => {
  const host = await testHost();
  await host.deploy('other/f', await zip({ 'index.js': 'exports.main = () => ({ dir: __dirname })' }));
  const { dir } = (await host.invoke('other/f')).response.result as { dir: string };
  const unpacked = () => readdirSync(dirname(dirname(dir))).length;
  const before = unpacked();
  await host.api('PUT', 'packages/p', {});
  const files = Array.from({ length: 2000 }, (_, index) => [`file${index}.js`, answering('x')] as const);
  const deploying = host.api('PUT', 'actions/p/f', actionBody({ code: await zip(Object.fromEntries(files)) }));
  await expect.poll(unpacked, { interval: 1 }).toBeGreaterThan(before);
  expect((await host.api('DELETE', 'packages/p')).status).toBe(200);
  expect((await deploying).status).toBe(404);
  expect((await host.api('GET', 'actions/p/f')).status).toBe(404);
});

test('of two that both want to be the first one is told that it is not', async () => {
  const host = await testHost();
  const put = () => host.api('PUT', 'actions/f', actionBody({ code: answering('x') }));
  expect((await Promise.all([put(), put(), put()])).map(({ status }) => status).sort()).toEqual([200, 409, 409]);
});

test('a deployment that is broken off leaves the old version, and so does a host that is killed in the middle of it', async () => {
  const dataDir = tempDir();
  const first = await spawnHost(dataDir);
  await first.host.deploy('p/f', answering('old'));
  const large = JSON.stringify(actionBody({ code: `${answering('new')}//${'x'.repeat(4_000_000)}` }));
  const broken = sendHalf(first.host, large);
  await broken.sent;
  broken.destroy();
  expect(await (await first.host.web('p/f')).text()).toBe('old');

  const half = sendHalf(first.host, large);
  await half.sent;
  first.kill();
  await first.gone;
  const second = await spawnHost(dataDir);
  expect((await second.host.api('GET', 'actions/p/f?code=false')).body.version).toBe('0.0.1');
  expect(await (await second.host.web('p/f')).text()).toBe('old');
});

test('a host that is killed at any moment of its deployments starts with a whole version of what was acknowledged', async () => {
  const dataDir = tempDir();
  const first = await spawnHost(dataDir);
  await first.host.deploy('p/f', answering('0'));
  let acknowledged = 0;
  const deploying = (async () => {
    for (let n = 1; n < 1000; n += 1) {
      await first.host.deploy('p/f', await zip({ 'index.js': answering(String(n)), 'data.txt': 'x'.repeat(100_000) }));
      acknowledged = n;
    }
  })().catch(() => {});
  await expect.poll(() => acknowledged).toBeGreaterThan(4);
  first.kill();
  await Promise.all([first.gone, deploying]);
  const second = await spawnHost(dataDir);
  const { version } = (await second.host.api('GET', 'actions/p/f?code=false')).body;
  const served = Number(await (await second.host.web('p/f')).text());
  expect(version).toBe(`0.0.${served + 1}`);
  expect(served - acknowledged).toBeOneOf([0, 1]);
});

test('code above 48 MB is refused', async () => {
  const host = await testHost();
  const reply = await host.deploy('f', `//${'x'.repeat(48 * 2 ** 20 - 1)}`);
  expect(reply).toMatchObject({ status: 413, body: { error: 'exec.code is larger than allowed: 50331649 > 50331648 bytes.' } });
  const { status } = await host.deploy('f', `//${'x'.repeat(70 * 2 ** 20)}`);
  expect(status).toBe(413);
});

/** Sends a deployment's headers and half of its body. */
function sendHalf(host: TestHost, body: string): { readonly sent: Promise<unknown>; destroy(): void } {
  const headers = {
    authorization: `Basic ${btoa(host.auth)}`,
    'content-type': 'application/json',
    'content-length': String(Buffer.byteLength(body)),
  };
  const outgoing = request(`${host.url}/api/v1/namespaces/_/actions/p/f?overwrite=true`, { method: 'PUT', headers, agent: false });
  outgoing.on('error', () => {});
  const sent = new Promise((done) => {
    outgoing.write(body.slice(0, body.length / 2), done);
  });
  return { sent, destroy: () => outgoing.destroy() };
}

async function spawnHost(dataDir: string): Promise<{ readonly host: TestHost; readonly gone: Promise<unknown>; kill(): void }> {
  const child = spawn(process.execPath, [main, '--port', '0', '--data', dataDir], { stdio: ['ignore', 'pipe', 'inherit'] });
  const gone = once(child, 'exit');
  onTestFinished(async () => {
    if (child.exitCode === null && child.signalCode === null) child.kill('SIGTERM');
    await gone;
  });
  const [line] = await once(child.stdout, 'data');
  const ready = JSON.parse(String(line));
  return { host: talkTo({ ...ready, close: async () => {} }, dataDir), gone, kill: () => child.kill('SIGKILL') };
}
