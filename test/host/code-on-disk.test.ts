import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { type TestHost, tempDir, testHost } from './support/test-host.ts';
import { zip } from './support/zip.ts';

/** A zip whose function says where its code lies, and reads a file beside it when it is told to go on. */
function zipped(version: number, more = ''): Promise<Buffer> {
  const code = `const { existsSync, readFileSync } = require('fs');
    exports.main = async ({ started, goOn }) => {
      if (started) require('fs').writeFileSync(started, '');
      while (goOn && !existsSync(goOn)) await new Promise((done) => setTimeout(done, 5));
      return { dir: __dirname, version: readFileSync(__dirname + '/version.txt', 'utf8') };
    };${more}`;
  return zip({ 'index.js': code, 'version.txt': String(version) });
}

async function call(host: TestHost, inputs: object = {}): Promise<{ readonly dir: string; readonly version: string }> {
  // What the function above answers.
  return (await host.invoke('p/f', inputs)).response.result as { dir: string; version: string };
}

/** What lies in the directories of the code: of every version, its compiled form and its copies. */
function onDisk(part: string): readonly string[] {
  return [...readdirSync(part), ...readdirSync(join(part, 'copies'))].filter((name) => /^[0-9a-f]{64}/.test(name)).sort();
}

test('of a function that is deployed over and over the last version alone stays on disk', async () => {
  const host = await testHost();
  for (let version = 1; version <= 6; version += 1) {
    await host.deploy('p/f', await zipped(version));
    if (version % 2 === 0) expect((await call(host)).version).toBe(String(version));
  }
  const { dir } = await call(host);
  const part = dirname(dirname(dir));
  const digest = /[0-9a-f]{64}/.exec(dir)?.[0] ?? '';
  await expect
    .poll(() =>
      onDisk(part)
        .map((name) => name.slice(0, 64))
        .filter((name) => name !== digest),
    )
    .toEqual([]);
  expect(onDisk(part)).toContain(digest);
});

test('so it is with a single file, and an earlier version can come again', async () => {
  const host = await testHost();
  const code = (n: number) => `exports.main = () => ({ n: ${n}, dir: process.mainModule && process.cwd() })`;
  await host.deploy('p/z', await zipped(0));
  const { dir } = (await host.invoke('p/z')).response.result as { dir: string };
  const part = dirname(dirname(dir));
  await host.api('DELETE', 'actions/p/z');
  for (const n of [1, 2, 1, 2, 1]) {
    await host.deploy('p/f', code(n));
    expect((await host.invoke('p/f')).response.result).toMatchObject({ n });
  }
  await expect.poll(() => onDisk(part).filter((name) => name.length === 64)).toHaveLength(1);
  expect((await host.invoke('p/f')).response.result).toMatchObject({ n: 1 });
});

test('a call under way keeps the code it began with, which goes when it ends', async () => {
  const host = await testHost();
  await host.deploy('p/f', { code: await zipped(1), limits: { timeout: 30_000 } });
  const [started, goOn] = [join(tempDir(), 'started'), join(tempDir(), 'go')];
  const under = call(host, { started, goOn });
  await expect.poll(() => readdirSync(dirname(started))).toEqual(['started']);
  await host.deploy('p/f', await zipped(2));
  const current = await call(host);
  expect(current.version).toBe('2');
  writeFileSync(goOn, '');
  const old = await under;
  expect(old.version).toBe('1');
  const digest = /[0-9a-f]{64}/.exec(old.dir)?.[0] ?? '';
  await expect.poll(() => onDisk(dirname(dirname(current.dir))).filter((name) => name.startsWith(digest))).toEqual([]);
});

test('of a function that is deleted nothing stays, unless another has the same code', async () => {
  const host = await testHost();
  const code = await zipped(1);
  for (const name of ['p/f', 'p/g']) await host.deploy(name, code);
  const { dir } = await call(host);
  const part = dirname(dirname(dir));
  await host.api('DELETE', 'actions/p/f');
  expect((await host.invoke('p/g')).response.result).toMatchObject({ version: '1' });
  await host.api('DELETE', 'actions/p/g');
  await expect.poll(() => onDisk(part)).toEqual([]);
});

test('what a killed host left of code that is gone is cleared at the next start', async () => {
  const dataDir = tempDir();
  const first = await testHost({ dataDir });
  await first.deploy('p/f', await zipped(1));
  const part = dirname(dirname((await call(first)).dir));
  await first.close();
  const left = [`${'0'.repeat(64)}`, `${'0'.repeat(64)}.cache`, `${'1'.repeat(64)}.0a1b2c3d`];
  for (const name of left) mkdirSync(join(part, name), { recursive: true, mode: 0o700 });
  const second = await testHost({ dataDir });
  expect(readdirSync(part).filter((name) => left.includes(name))).toEqual([]);
  expect((await call(second)).version).toBe('1');
});
