#!/usr/bin/env node
/**
 * Completes package-lock.json so that `npm ci` accepts it on every machine and from every registry.
 *
 * npm writes an entry only for the optional packages its registry could show it. A registry that lacks some of them (the native
 * builds for other platforms, mostly) leaves holes, and `npm ci` then refuses the lock that npm itself wrote (EUSAGE). This adds
 * an optional entry for each hole: version, os, cpu and libc, no integrity and no address, so that npm skips it on other platforms
 * and fetches it where it is needed. Platforms are read from the package's name, which ends in one (`-linux-x64-musl`).
 *
 *   node build/complete-lockfile.mjs            after every `npm install`: completes ./package-lock.json in place
 *   node build/complete-lockfile.mjs --check    offline: exits 1 and names the holes, if there are any
 *   ... [lockfile]                              another lock than ./package-lock.json
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

const OS = { android: 'android', darwin: 'darwin', freebsd: 'freebsd', linux: 'linux', netbsd: 'netbsd', openbsd: 'openbsd' };
Object.assign(OS, { openharmony: 'openharmony', sunos: 'sunos', win: 'win32', win32: 'win32', aix: 'aix' });
const CPU = ['arm', 'arm64', 'ia32', 'loong64', 'mips64el', 'ppc64', 'riscv64', 's390x', 'x64'];
const LIBC = { gnu: 'glibc', gnueabihf: 'glibc', glibc: 'glibc', musl: 'musl', musleabihf: 'musl' };

/**
 * What a lock lacks.
 * @param {{packages: Record<string, any>}} lock a parsed package-lock.json, lockfileVersion 2 or 3
 * @returns {{name: string, range: string, neededBy: string}[]} optional dependencies named by an entry that have none themselves
 */
function missingEntries(lock) {
  const missing = [];
  for (const [path, entry] of Object.entries(lock.packages)) {
    for (const [name, range] of Object.entries(entry.optionalDependencies || {})) {
      if (!isLocked(lock, path, name)) missing.push({ name, range, neededBy: path.replace(/^.*node_modules\//, '') || lock.name });
    }
  }
  return missing;
}

/**
 * The lock with an entry for every hole; entries are sorted as npm sorts them. The bundled Nodes are built against glibc and say
 * so nowhere: the entry says it for them, or a musl system would put a node that cannot run on the path of every script.
 * @throws {Error} when a hole's version is a range or its name tells no platform
 */
function completeLock(lock) {
  const packages = Object.assign({}, lock.packages);
  for (const { name, range, neededBy } of missingEntries(lock)) {
    if (!/^\d+\.\d+\.\d+/.test(range)) {
      throw new Error(`${neededBy} asks for ${name}@${range}: only an exact version can be entered; pin it, or add the entry by hand`);
    }
    const dev = Object.entries(lock.packages).some(([path, entry]) => path.endsWith(`node_modules/${neededBy}`) && entry.dev);
    packages[`node_modules/${name}`] = Object.assign({ version: range }, dev ? { dev } : {}, { optional: true }, platformOf(name));
  }
  for (const [path, entry] of Object.entries(packages)) {
    if (/^node_modules\/node-linux-\w+$/.test(path)) packages[path] = Object.assign({}, entry, { libc: ['glibc'] });
  }
  const sorted = Object.keys(packages).sort((a, b) => a.localeCompare(b, 'en'));
  return Object.assign({}, lock, { packages: Object.fromEntries(sorted.map((path) => [path, packages[path]])) });
}

/** The os, cpu and libc that a native package's name ends in, in package.json's words. */
function platformOf(name) {
  const words = name.replace(/^.*\//, '').split('-');
  const at = words.findIndex((word, index) => word in OS && CPU.includes(words[index + 1]));
  if (at === -1) throw new Error(`${name} has no entry and its name tells no platform; add its entry to package-lock.json by hand`);
  const os = OS[words[at]];
  const libc = os === 'linux' ? LIBC[words[at + 2]] : undefined;
  return Object.assign({ os: [os], cpu: [words[at + 1]] }, libc ? { libc: [libc] } : {});
}

function isLocked(lock, path, name) {
  for (let folder = path; ; folder = folder.replace(/(^|\/)node_modules\/(@[^/]+\/)?[^/]+$/, '')) {
    if (lock.packages[`${folder ? `${folder}/` : ''}node_modules/${name}`]) return true;
    if (!folder) return false;
  }
}

function main(args) {
  const path = resolve(args.find((arg) => !arg.startsWith('-')) || join(dirname(fileURLToPath(import.meta.url)), '../package-lock.json'));
  const text = readFileSync(path, 'utf8');
  const lock = JSON.parse(text);
  const completed = `${JSON.stringify(completeLock(lock), null, 2)}\n`;
  if (completed === text) return 0;
  const names = missingEntries(lock).map(({ name, neededBy }) => `  ${name} (for ${neededBy})`);
  if (args.includes('--check')) {
    process.stderr.write(`package-lock.json is incomplete; run: node build/complete-lockfile.mjs\n${names.join('\n')}\n`);
    return 1;
  }
  writeFileSync(path, completed);
  process.stdout.write(`package-lock.json: ${names.length} entries added\n${names.join('\n')}\n`);
  return 0;
}

try {
  process.exitCode = main(process.argv.slice(2));
} catch (error) {
  process.stderr.write(`${error.message}\n`);
  process.exitCode = 1;
}
