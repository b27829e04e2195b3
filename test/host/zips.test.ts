import { existsSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { tempDir, testHost } from './support/test-host.ts';
import { zip } from './support/zip.ts';

const code = 'exports.main = () => ({ ok: true })';
const link = 0o120777;

describe('a zip', () => {
  test.each([
    ['climbs out of its directory', { 'index.js': code, '../evil.js': 'x' }],
    ['climbs out from below', { 'index.js': code, 'a/../../evil.js': 'x' }],
    ['names an absolute path', { 'index.js': code, '/tmp/deckhand-evil.js': 'x' }],
    ['holds a link to the outside', { 'index.js': code, secret: { content: '/etc/passwd', mode: link } }],
    ['holds a link to its inside', { 'index.js': code, again: { content: 'index.js', mode: link } }],
    ['writes a file over another', { 'index.js': code, './index.js': 'x' }],
    ['writes a file over a directory', { 'index.js': code, 'a/b': 'x', 'a/./../a': 'y' }],
  ])('that %s is refused, and nothing of it stays', async (_name, entries) => {
    const host = await testHost();
    const reply = await host.deploy('p/f', await zip(entries));
    expect(reply.status).toBe(400);
    expect(reply.body.error).toMatch(/^exec\.code is not a zip that can be unpacked: /);
    expect((await host.api('GET', 'actions/p/f')).status).toBe(404);
    expect(existsSync('/tmp/deckhand-evil.js')).toBe(false);
  });

  test('that unpacks to more than the host holds is refused', async () => {
    const host = await testHost();
    const bomb = await zip({ 'index.js': code, zeros: { content: Buffer.alloc(513 * 2 ** 20) } });
    expect(bomb.length).toBeLessThan(2 ** 20);
    const reply = await host.deploy('p/f', bomb);
    expect([reply.status, reply.body.error]).toEqual([400, expect.stringMatching(/unpacks to more than 536870912 bytes/)]);
  });

  test('that is cut off is refused', async () => {
    const host = await testHost();
    const whole = await zip({ 'index.js': code });
    expect((await host.deploy('p/f', whole.subarray(0, whole.length - (whole.length % 3) - 30))).status).toBe(400);
  });

  test('keeps the programs in it executable', async () => {
    const host = await testHost();
    const main = `exports.main = () => ({ said: require('child_process').execFileSync('./tool', { encoding: 'utf8' }) })`;
    await host.deploy('p/f', await zip({ 'index.js': main, tool: { content: '#!/bin/sh\necho hello', mode: 0o100755 } }));
    expect((await host.invoke('p/f')).response.result).toEqual({ said: 'hello\n' });
  });

  test('gives every instance a copy of its own, as it was deployed, with what it brings and what its runtime provides', async () => {
    const host = await testHost();
    const main = `const own = require('own');
      exports.main = async ({ began, until }) => {
        const fs = require('fs');
        const found = fs.readdirSync('.').sort();
        fs.writeFileSync('note-' + process.pid, '');
        fs.appendFileSync('data.txt', ' written');
        fs.writeFileSync(began + '/' + process.pid, '');
        while ( !fs.existsSync(until)) await new Promise((done) => setTimeout(done, 5));
        return { found, data: fs.readFileSync('data.txt', 'utf8'), cwd: process.cwd(), own };
      }`;
    const entries = { 'index.js': main, 'data.txt': 'deployed', 'node_modules/own/index.js': 'module.exports = "own"' };
    await host.deploy('p/f', { code: await zip(entries), limits: { timeout: 30_000 } });
    const [began, until] = [tempDir(), join(tempDir(), 'go')];
    const calls = Array.from({ length: 4 }, () => host.invoke('p/f', { began, until }));
    await expect.poll(() => readdirSync(began).length).toBe(4);
    writeFileSync(until, '');
    const results = (await Promise.all(calls)).map(({ response }) => response.result);
    for (const result of results) {
      expect(result).toMatchObject({ found: ['data.txt', 'index.js', 'node_modules'], data: 'deployed written', own: 'own' });
    }
    expect(new Set(results.map((result) => result?.cwd)).size).toBe(4);
  });

  test('whose instance has ended leaves nothing to the next', async () => {
    const host = await testHost({ idleTimeoutMs: 50 });
    const main = `exports.main = () => {
      const found = require('fs').readdirSync('.').sort();
      require('fs').writeFileSync('note', '');
      return { found, cwd: process.cwd() };
    }`;
    await host.deploy('p/f', await zip({ 'index.js': main }));
    for (let call = 0; call < 3; call += 1) {
      const { found, cwd } = (await host.invoke('p/f')).response.result as { found: string[]; cwd: string };
      expect(found).toEqual(['index.js']);
      await expect.poll(() => existsSync(join(cwd, 'note'))).toBe(false);
    }
  });

  test('runs from a copy of its own, which a restart makes again', async () => {
    const dataDir = tempDir();
    const main = 'exports.main = () => ({ cwd: process.cwd(), entries: require("fs").readdirSync(".").sort() })';
    const first = await testHost({ dataDir });
    await first.deploy('p/f', await zip({ 'index.js': main, 'a.txt': '' }));
    const before = (await first.invoke('p/f')).response.result;
    expect(before).toEqual({ cwd: expect.not.stringContaining(dataDir), entries: ['a.txt', 'index.js'] });
    await first.close();
    expect(existsSync((before as { cwd: string }).cwd)).toBe(false);
    const second = await testHost({ dataDir });
    expect((await second.invoke('p/f')).response.result).toEqual(before);
  });
});
