import { existsSync, realpathSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { SetupError } from './setup-error.mjs';

/** The Node the project is written for. */
const NEEDED_MAJOR = 24;

/**
 * The Node to run on: the one npm installed for this platform, else the running one if it is new enough.
 * @param {string} root the project's folder, installed
 * @returns {string} path of an executable
 * @throws {SetupError} when there is neither
 */
export function findNode(root) {
  const bundled = bundledNode(root);
  if (bundled) return bundled;
  if (Number(process.versions.node.split('.')[0]) >= NEEDED_MAJOR) return process.execPath;
  throw new SetupError(
    `Node ${NEEDED_MAJOR} is needed; this is ${process.version} at ${process.execPath}, and npm brought none for ` +
      `${process.platform}-${process.arch} (it does for glibc Linux and macOS on x64 and arm64, and Windows on x64, unless optional ` +
      `packages are switched off). Install Node ${NEEDED_MAJOR} from https://nodejs.org or your version manager, then run the same command again.`,
  );
}

/** Whether the running process is that Node already. */
export function isOwnNode(node) {
  return realpathSync(node) === realpathSync(process.execPath);
}

function bundledNode(root) {
  const windows = process.platform === 'win32';
  const platform = `${windows ? 'win' : process.platform}-${process.arch}`;
  return foldersUpFrom(root)
    .flatMap((folder) => [`node-${platform}`, `node-bin-${platform}`].map((name) => join(folder, 'node_modules', name)))
    .map((found) => join(found, 'bin', windows ? 'node.exe' : 'node'))
    .find((path) => existsSync(path));
}

/** Where a package is installed, npm puts what it needs beside it, further up. */
function foldersUpFrom(folder) {
  const parent = dirname(folder);
  return parent === folder ? [folder] : [folder].concat(foldersUpFrom(parent));
}
