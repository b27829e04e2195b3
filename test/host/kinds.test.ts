import { mkdirSync, readdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { tempDir, testHost } from './support/test-host.ts';

const code = 'exports.main = () => ({ ok: true })';

afterEach(() => {
  vi.unstubAllEnvs();
});

describe('a kind whose Node is not on this machine', () => {
  test('is refused when it cannot be fetched, with the reason and a way out, and the old version goes on', async () => {
    // No registry answers here.
    vi.stubEnv('npm_config_registry', 'http://127.0.0.1:9/');
    vi.stubEnv('npm_config_fetch_retries', '0');
    vi.stubEnv('npm_config_cache', tempDir());
    const said: string[] = [];
    const kindsDir = tempDir();
    const host = await testHost({ kindsDir, onProgress: (line) => said.push(line) });
    await host.deploy('p/f', code);
    const { status, body } = await host.deploy('p/f', { code, kind: 'nodejs:18' });
    expect(status).toBe(503);
    expect(body.error).toMatch(
      /^nodejs:18 cannot run here: npm install node-.*@18 failed: .*; connect to a registry and try again, or put a Node 18 at /,
    );
    expect(said).toEqual([expect.stringMatching(/^nodejs:18: fetching node-.*@18 with npm, once$/)]);
    expect(readdirSync(kindsDir)).toEqual([]);
    expect((await host.invoke('p/f')).response.result).toEqual({ ok: true });
    expect((await host.api('GET', 'actions/p/f?code=false')).body.version).toBe('0.0.1');
  });

  test('runs on the one that was put where the message says', async () => {
    const kindsDir = tempDir();
    mkdirSync(join(kindsDir, 'nodejs-18', 'bin'), { recursive: true });
    symlinkSync(process.execPath, join(kindsDir, 'nodejs-18', 'bin', 'node'));
    const host = await testHost({ kindsDir });
    expect((await host.deploy('p/f', { code, kind: 'nodejs:18' })).status).toBe(200);
    expect((await host.invoke('p/f')).response.result).toEqual({ ok: true });
  });
});

test('a kind that provides no packages finds none', async () => {
  const kindsDir = tempDir();
  mkdirSync(join(kindsDir, 'nodejs-14', 'bin'), { recursive: true });
  symlinkSync(process.execPath, join(kindsDir, 'nodejs-14', 'bin', 'node'));
  const host = await testHost({ kindsDir });
  await host.deploy('p/f', { code: 'require("axios"); exports.main = () => ({})', kind: 'nodejs:14' });
  expect((await host.invoke('p/f')).response.result?.error).toMatch(/Cannot find module 'axios'/);
});
