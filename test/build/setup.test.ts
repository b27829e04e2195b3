import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { chmodSync, cpSync, existsSync, mkdirSync, mkdtempSync, realpathSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';

const platform = `${process.platform === 'win32' ? 'win' : process.platform}-${process.arch}`;
const manifest = { name: 'small', version: '1.0.0', type: 'module', dependencies: { first: 'file:first' } };
const lock = {
  name: 'small',
  version: '1.0.0',
  lockfileVersion: 3,
  requires: true,
  packages: {
    '': { name: 'small', version: '1.0.0', dependencies: { first: 'file:first' } },
    first: { version: '1.0.0' },
    'node_modules/first': { resolved: 'first', link: true },
  },
};

/** What a process of another user is started with; undefined where none can be, or cannot get at Node and the temporary directory. */
const another = process.getuid?.() === 0 && canRun({ uid: 65534, gid: 65534, cwd: tmpdir() }) ? { uid: 65534, gid: 65534 } : undefined;

let folder: string;

beforeEach(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'setup-')));
  for (const part of ['build/setup', 'build/bin/deckhand.mjs'])
    cpSync(join(import.meta.dirname, '../..', part), join(folder, part), { recursive: true });
  write('package.json', JSON.stringify(manifest));
  write('package-lock.json', JSON.stringify(lock));
  write('first/package.json', JSON.stringify({ name: 'first', version: '1.0.0' }));
  write(
    'lib/cli/deckhand.ts',
    `export async function main(args: readonly string[]): Promise<number> {
      if (args[0] === 'wait') { console.log('waiting'); setInterval(() => {}, 1000); return await new Promise(() => {}); }
      if (args[0] === 'fail') throw new TypeError('a bug');
      console.log(JSON.stringify({ args, node: process.env.THROUGH ?? 'as started' }));
      return args[0] === 'exit' ? Number(args[1]) : 0;
    }`,
  );
});

afterEach(() => rmSync(folder, { recursive: true, force: true }));

describe('a bin started in a fresh clone', () => {
  it('installs by the lock, with npm on stderr alone, and then runs', () => {
    const { status, stdout, stderr } = deckhand(['a', '--b']);
    expect(stderr).toContain('installing what package-lock.json names');
    expect(JSON.parse(stdout)).toEqual({ args: ['a', '--b'], node: 'as started' });
    expect(status).toBe(0);
    expect(existsSync(join(folder, 'node_modules/.package-lock.json'))).toBe(true);
  });

  it('installs once', () => {
    deckhand([]);
    expect(deckhand([]).stderr).toBe('');
  });

  it('installs again when a newer lock asks for something else, not when it asks for the same', () => {
    deckhand([]);
    makeNewer('package-lock.json');
    expect(deckhand([]).stderr).toBe('');

    write('second/package.json', JSON.stringify({ name: 'second', version: '1.0.0' }));
    const dependencies = { first: 'file:first', second: 'file:second' };
    const second = { second: { version: '1.0.0' }, 'node_modules/second': { resolved: 'second', link: true } };
    const packages = { ...lock.packages, '': { name: 'small', version: '1.0.0', dependencies }, ...second };
    write('package.json', JSON.stringify({ ...manifest, dependencies }));
    write('package-lock.json', JSON.stringify({ ...lock, packages }));
    makeNewer('package-lock.json');
    const { stdout, stderr } = deckhand([]);
    expect(stderr).toContain('installing');
    expect(existsSync(join(folder, 'node_modules/second/package.json'))).toBe(true);
    expect(JSON.parse(stdout).args).toEqual([]);
  });

  it.skipIf(another === undefined)('runs for another user, who can write nothing there, also when the lock is newer', () => {
    deckhand([]);
    makeNewer('package-lock.json');
    spawnSync('chmod', ['-R', 'a+rX', folder]);
    expect(deckhand([], {}, another)).toMatchObject({ status: 0, stderr: '' });
  });

  it('says what to do when npm is missing', () => {
    const { status, stderr, stdout } = deckhand([], { PATH: folder, npm_execpath: undefined });
    expect(stderr).toMatch(/npm is not on PATH.*https:\/\/nodejs.org/);
    expect({ status, stdout }).toEqual({ status: 1, stdout: '' });
  });

  it('passes on the words of a failing npm ci and says what it means', () => {
    write('package.json', JSON.stringify({ ...manifest, dependencies: { unlocked: 'file:first' } }));
    const { status, stderr } = deckhand([]);
    expect(stderr).toContain('EUSAGE');
    expect(stderr).toMatch(/npm ci failed in .* \(exit code 1\).*complete-lockfile/);
    expect(status).toBe(1);
  });
});

describe.skipIf(process.platform === 'win32')('an installed clone with a Node of its own', () => {
  beforeEach(() => {
    write('node_modules/.package-lock.json', JSON.stringify(lock));
    const node = write(`node_modules/node-${platform}/bin/node`, `#!/bin/sh\nTHROUGH=bundled exec '${process.execPath}' "$@"\n`);
    chmodSync(node, 0o755);
  });

  it('exits with the code of what it ran', () => {
    expect(deckhand(['exit', '3']).status).toBe(3);
  });

  it('exits 70 with the stack on a bug', () => {
    const { status, stderr } = deckhand(['fail']);
    expect(stderr).toMatch(/TypeError: a bug\n\s+at main/);
    expect(status).toBe(70);
  });

  it('runs there, with the same arguments and exit code', () => {
    const { status, stdout, stderr } = deckhand(['exit', '5']);
    expect(JSON.parse(stdout)).toEqual({ args: ['exit', '5'], node: 'bundled' });
    expect({ status, stderr }).toEqual({ status: 5, stderr: '' });
  });

  it.each(['SIGINT', 'SIGTERM', 'SIGHUP'] as const)('ends by %s when it is sent to the first process', async (signal) => {
    const child = await waiting();
    child.kill(signal);
    expect(await ended(child)).toEqual({ code: null, signal });
  });

  it('leaves nothing behind when the first process is ended by force', async () => {
    const child = await waiting();
    const closed = new Promise((resolve) => child.stdout?.on('close', resolve));
    child.kill('SIGKILL');
    // Both processes hold the writing end of this pipe: it closes when the last of them is gone.
    await closed;
    expect(child.signalCode).toBe('SIGKILL');
  });
});

function write(path: string, text: string): string {
  const full = join(folder, path);
  mkdirSync(join(full, '..'), { recursive: true });
  writeFileSync(full, text);
  return full;
}

function makeNewer(path: string): void {
  const soon = new Date(Date.now() + 2000);
  utimesSync(join(folder, path), soon, soon);
}

function deckhand(args: readonly string[], env: Readonly<Record<string, string | undefined>> = {}, user: User = {}) {
  return spawnSync(process.execPath, [join(folder, 'build/bin/deckhand.mjs'), ...args], {
    ...user,
    encoding: 'utf8',
    env: { ...process.env, ...env },
  });
}

interface User {
  readonly uid?: number;
  readonly gid?: number;
}

function canRun(how: User & { readonly cwd: string }): boolean {
  return spawnSync(process.execPath, ['--version'], how).status === 0;
}

/** The process, once what it runs is running. */
async function waiting(): Promise<ChildProcess> {
  const child = spawn(process.execPath, [join(folder, 'build/bin/deckhand.mjs'), 'wait'], { stdio: ['ignore', 'pipe', 'inherit'] });
  await new Promise((resolve) => child.stdout?.once('data', resolve));
  return child;
}

function ended(child: ChildProcess): Promise<{ code: number | null; signal: NodeJS.Signals | null }> {
  return new Promise((resolve) => child.on('close', (code, signal) => resolve({ code, signal })));
}
