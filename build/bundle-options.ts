import { isBuiltin } from 'node:module';
import { join } from 'node:path';
import commonjs from '@rollup/plugin-commonjs';
import { nodeResolve } from '@rollup/plugin-node-resolve';
import type { LogLevel, LogOrStringHandler, OutputOptions, Plugin, RollupLog, RollupOptions } from 'rollup';
import { recordInputs } from './freshness.ts';
import { ascii } from './plugins/ascii.ts';
import { dropSchemas } from './plugins/drop-schemas.ts';
import { hooks } from './plugins/hooks.ts';
import { oneFile } from './plugins/one-file.ts';
import { slimRedis } from './plugins/slim-redis.ts';
import { slimUndici } from './plugins/slim-undici.ts';
import { stripTypes } from './plugins/strip-types.ts';
import { toolListing } from './plugins/tool-listing.ts';

/**
 * How a function becomes its bundle.js: one CommonJS file with all it needs but Node's own modules, `exports.main = ` in so many
 * words, and what stands behind an `import()` left alone until it is called for (specification of the runtime, "Bundlers").
 *
 * @param folder the function's, packages/<package>/<function> of the project
 */
export function bundleOptions(folder: string): RollupOptions & { readonly output: OutputOptions } {
  return {
    input: join(folder, 'index.ts'),
    plugins: [
      dropSchemas(),
      slimRedis(),
      slimUndici(),
      toolListing(folder),
      hooks(folder),
      nodeBuiltins(),
      stripTypes(),
      json(),
      nodeResolve({ exportConditions: ['node'] }),
      commonjs(),
    ],
    output: {
      dir: folder,
      entryFileNames: 'bundle.js',
      chunkFileNames: '[name].js',
      format: 'cjs',
      dynamicImportInCjs: false,
      plugins: [ascii(), oneFile({ packed: ['redis-store'] }), recordInputs(folder)],
    },
    onLog: refuseWarnings,
  };
}

/** Leaves Node's own modules to Node, by their `node:` names: one name is one `require`. */
function nodeBuiltins(): Plugin {
  return {
    name: 'node-builtins',
    resolveId: (source) => (isBuiltin(source) ? { id: source.startsWith('node:') ? source : `node:${source}`, external: true } : null),
  };
}

function json(): Plugin {
  return {
    name: 'json',
    transform: { filter: { id: /\.json$/ }, handler: (code) => ({ code: `export default ${code};`, map: null }) },
  };
}

/** A warning fails the build: nobody reads the output of a build that worked. */
function refuseWarnings(level: LogLevel, log: RollupLog, handler: LogOrStringHandler): void {
  if (level === 'warn' && isHarmless(log)) return;
  handler(level === 'warn' ? 'error' : level, log);
}

/** zod's modules import each other in a circle, and some of its comments look like annotations in the wrong place. */
function isHarmless({ code, id, ids = [] }: RollupLog): boolean {
  const inZod = (path: string) => /[\\/]node_modules[\\/]zod[\\/]/.test(path);
  if (code === 'CIRCULAR_DEPENDENCY') return ids.length > 0 && ids.every(inZod);
  return code === 'INVALID_ANNOTATION' && id !== undefined && inZod(id);
}
