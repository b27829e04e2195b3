import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it, onTestFinished } from 'vitest';
import { gateway } from '../support/gateway.ts';

const bin = fileURLToPath(new URL('../../build/bin/deckhand.mjs', import.meta.url));

interface Ended {
  readonly code: number;
  readonly out: string;
  readonly err: string;
}

/** `deckhand token ...` in a directory of its own, with a settings.env where one is given. */
async function token(args: readonly string[], settings?: string): Promise<Ended> {
  const cwd = mkdtempSync(join(tmpdir(), 'deckhand-test-'));
  onTestFinished(() => rmSync(cwd, { recursive: true, force: true }));
  if (settings !== undefined) writeFileSync(join(cwd, 'settings.env'), settings);
  const { ACCESS_TOKENS: _, ...env } = process.env;
  return new Promise((resolve) => {
    execFile(process.execPath, [bin, 'token', ...args], { cwd, env }, (failure, out, err) => {
      resolve({ code: failure ? Number(failure.code) : 0, out, err });
    });
  });
}

describe('deckhand token add', () => {
  it('prints a token and the setting that lets its bearer do just that', async () => {
    const { code, out } = await token([
      'add',
      'claude',
      '--toolsets',
      'dns,traffic',
      '--tools',
      '!*-delete',
      '--read-only',
      '--rate',
      '60/m',
    ]);
    expect(code).toBe(0);
    const [made = '', setting = ''] = out.split('\n');
    const hash = createHash('sha256').update(made).digest('hex');
    expect(setting).toBe(`ACCESS_TOKENS=claude=sha256:${hash};toolsets=dns+traffic;tools=!*-delete;readonly;rate=60/m`);
    const request = gateway({ PLATFORM_API_TOKEN: 'own', ACCESS_TOKENS: setting.slice('ACCESS_TOKENS='.length) });
    const { status, json } = await request('GET', '/tools', { headers: { authorization: `Bearer ${made}` } });
    expect(status).toBe(200);
    expect(json.tools.length).toBeGreaterThan(5);
  });

  it('keeps those who were let in before, and makes another token each time', async () => {
    const entry = `ci=sha256:${'a'.repeat(64)};readonly`;
    const first = await token(['add', 'claude'], `ACCESS_TOKENS=${entry}\n`);
    const second = await token(['add', 'claude'], `ACCESS_TOKENS=${entry}\n`);
    expect(first.out.split('\n')[1]).toContain(`ACCESS_TOKENS=${entry}, claude=sha256:`);
    expect(first.out).not.toBe(second.out);
  });

  it.each([
    [['add', 'ci'], 'ci is in ACCESS_TOKENS already'],
    [['add', 'a b'], 'letters, digits'],
    [['add', 'x', '--rate', 'often'], 'such as 60/m'],
    [['add', 'x', '--toolsets', 'trafic'], 'did you mean traffic?'],
    [['add', 'x', '--read-onl'], '--read-only'],
    [['add'], 'name'],
  ])('%j is refused with what to do', async (args, said) => {
    const { code, out, err } = await token(args, `ACCESS_TOKENS=ci=sha256:${'a'.repeat(64)}\n`);
    expect(code).toBe(1);
    expect(out).toBe('');
    expect(err).toContain(said);
    expect(err).not.toContain('    at ');
  });
});

describe('deckhand token list', () => {
  it('lists who may call and what they may do, and no hash', async () => {
    const settings = `ACCESS_TOKENS="ci=sha256:${'a'.repeat(64)}, claude=sha256:${'b'.repeat(64)};toolsets=dns;readonly;rate=10/s"\n`;
    const { code, out } = await token(['list'], settings);
    expect(code).toBe(0);
    expect(out.split('\n').map((line) => line.split(/ {2,}/))).toEqual([
      ['NAME', 'TOOLSETS', 'TOOLS', 'MAY', 'RATE'],
      ['ci', 'all', 'all', 'read, write', 'any'],
      ['claude', 'dns', 'all', 'read', '10/s'],
      [''],
    ]);
  });

  it('says how to begin where nobody may', async () => {
    expect((await token(['list'])).out).toContain('deckhand token add');
  });

  it('tells a setting that cannot be read by the place of its entry', async () => {
    const { code, err } = await token(['list'], 'ACCESS_TOKENS=pasted-secret\n');
    expect(code).toBe(1);
    expect(err).toContain('entry 1');
    expect(err).not.toContain('pasted-secret');
  });
});
