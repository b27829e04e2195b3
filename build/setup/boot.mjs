import { existsSync } from 'node:fs';
import module from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { findNode, isOwnNode } from './find-node.mjs';
import { handOver, isHandedOver } from './hand-over.mjs';
import { installIfStale } from './install.mjs';
import { SetupError } from './setup-error.mjs';

const root = join(dirname(fileURLToPath(import.meta.url)), '../..');
/** Where npm installed what `npm pack` shipped there are no sources, but what was made of them. */
const isPackage = !existsSync(join(root, 'lib'));

/**
 * Runs `body` on Node 24 with everything installed, whatever Node started the process and however fresh the clone is.
 * Its exit code is what `body` resolves to (nothing: 0); a mistake of set-up is told in a sentence and exits 1, a bug exits 70.
 *
 * This file and the ones it imports are all that an old Node has to parse (>= 14.18): no TypeScript, nothing from node_modules.
 * @param {string} script the file to run again on the right Node, as a path
 * @param {(context: {root: string, args: string[], isPackage: boolean}) => Promise<number | void>} body imports TypeScript or what was made of it, so only inside
 */
export async function boot(script, body) {
  const args = process.argv.slice(2);
  try {
    if (!isHandedOver()) {
      if (!isPackage) installIfStale(root);
      const node = findNode(root);
      if (!isOwnNode(node)) {
        await handOver(node, [script].concat(args));
        return;
      }
    }
    quietenExperiments();
    cacheCompiledCode();
    const code = await body({ root, args, isPackage });
    if (typeof code === 'number') process.exitCode = code;
  } catch (error) {
    if (error instanceof SetupError) fail(error.message, 1);
    else fail(error instanceof Error ? error.stack : String(error), 70);
  }
}

/** Node 24.0 still calls type stripping and SQLite experiments, on every start; later releases of the line do not. */
function quietenExperiments() {
  const emitWarning = process.emitWarning;
  process.emitWarning = (warning, ...rest) => {
    const type = rest[0] && typeof rest[0] === 'object' ? rest[0].type : rest[0];
    if (type !== 'ExperimentalWarning') emitWarning.call(process, warning, ...rest);
  };
}

/** Keeps compiled and type-stripped code between starts. Nothing goes into the environment: what functions cost cold must stay true. */
function cacheCompiledCode() {
  module.enableCompileCache(join(root, 'node_modules/.cache/compiled'));
}

function fail(message, code) {
  process.stderr.write(`deckhand: ${message}\n`);
  process.exitCode = code;
}
