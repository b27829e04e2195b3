import { spawnSync } from 'node:child_process';
import { readFileSync, statSync, utimesSync } from 'node:fs';
import { basename, join } from 'node:path';
import { SetupError } from './setup-error.mjs';

/** The oldest Node whose npm reads our lock and installs every package of it. */
const OLDEST_INSTALLER = 20;

/**
 * Runs `npm ci` when package-lock.json has changed since the last install, and only then. npm's output goes to stderr.
 * @param {string} root the project's folder
 * @throws {SetupError} when npm is missing or fails, or the running Node is too old to install with
 */
export function installIfStale(root) {
  const lock = join(root, 'package-lock.json');
  const installed = join(root, 'node_modules/.package-lock.json');
  if (modifiedMs(lock) <= modifiedMs(installed)) return;
  if (holdsTheSame(lock, installed)) {
    noteInstalled(installed);
    return;
  }
  const major = Number(process.versions.node.split('.')[0]);
  if (major < OLDEST_INSTALLER) {
    throw new SetupError(
      `Node ${OLDEST_INSTALLER} or newer is needed to install (it brings Node 24 along); this is ${process.version} at ${process.execPath}. ` +
        'Get a current one from https://nodejs.org or your version manager, then run the same command again.',
    );
  }
  process.stderr.write('deckhand: installing what package-lock.json names (npm ci) ...\n');
  npmCi(root);
  // npm leaves the hidden lock alone where nothing had to change.
  if (modifiedMs(installed) !== -1) noteInstalled(installed);
}

/** Makes the next start not ask again. */
function noteInstalled(installed) {
  try {
    utimesSync(installed, new Date(), new Date());
  } catch {
    // Another user's clone: the next start compares the two files again.
  }
}

function npmCi(root) {
  const args = ['ci', '--include=dev', '--include=optional', '--no-audit', '--no-fund', '--loglevel=error'];
  // Under `npm start` that very npm is used, even where it is not on PATH.
  const npmScript = process.env.npm_execpath;
  const underNpm = npmScript !== undefined && /^npm/.test(basename(npmScript));
  const [command, prefix] = underNpm ? [process.execPath, [npmScript]] : ['npm', []];
  // npm on Windows is a .cmd file, which only a shell can start; the arguments are the constants above.
  const shell = !underNpm && process.platform === 'win32';
  const { error, status, signal } = spawnSync(command, prefix.concat(args), { cwd: root, stdio: ['ignore', 2, 2], shell });
  if (error && error.code === 'ENOENT') {
    throw new SetupError(
      `npm is not on PATH, and the dependencies of ${root} are not installed. It comes with Node (https://nodejs.org); ` +
        'some systems package it apart, as "npm". Then run the same command again.',
    );
  }
  if (error) throw error;
  if (status === 0) return;
  throw new SetupError(
    `npm ci failed in ${root} (${signal ? `ended by ${signal}` : `exit code ${status}`}); its own words are above. ` +
      'After an edit of package.json: npm install, then node build/complete-lockfile.mjs.',
  );
}

/** Whether what is installed is what the lock asks for, leaving out what npm leaves out: optional packages of other platforms. */
function holdsTheSame(lockPath, installedPath) {
  const wanted = packagesOf(lockPath);
  const found = packagesOf(installedPath);
  if (!wanted || !found) return false;
  const differs = ([path, entry]) => path !== '' && (found[path] ? found[path].version !== entry.version : !entry.optional);
  return !Object.entries(wanted).some(differs) && Object.keys(found).every((path) => wanted[path]);
}

function packagesOf(path) {
  try {
    return JSON.parse(readFileSync(path, 'utf8')).packages;
  } catch {
    return undefined;
  }
}

function modifiedMs(path) {
  try {
    return statSync(path).mtimeMs;
  } catch {
    return -1;
  }
}
