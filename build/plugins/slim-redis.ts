import type { Plugin } from 'rollup';

/** Modules of the Redis client, by path in the package, and what stands in for them. */
const modules: Readonly<Record<string, string>> = {
  // Neither clusters nor sentinels nor pools: a function keeps one connection.
  'dist/index.js': `exports.createClient = require('./lib/client').default.create;`,
  // Of some 400 commands those that the client needs to connect, and the two that our store sends.
  'dist/lib/commands/index.js': `exports.__esModule = true; exports.default = {
    AUTH: require('./AUTH').default,
    CLIENT_SETNAME: require('./CLIENT_SETNAME').default,
    READONLY: require('./READONLY').default,
    get: require('./GET').default,
    eval: require('./EVAL').default,
  };`,
  // How clusters treat each command of every module.
  'dist/lib/command-metadata/command-metadata-data.js': 'exports.COMMAND_METADATA = {};',
  'dist/lib/client/pool.js': 'exports.RedisClientPool = class {};',
  'dist/lib/client/legacy-mode.js': 'exports.RedisLegacyClient = class {};',
};

const noMetrics = '\0slim-redis:no-metrics';

const pathInClient = (id: string) => /\/node_modules\/@redis\/client\/(.*)$/.exec(id.replaceAll('\\', '/'))?.[1];

/**
 * Leaves out of the Redis client what no store of ours uses, seven eighths of it: a bundle that carries it should start no slower for it.
 * Where the client has changed so that one of these is no longer there, the build fails.
 */
export function slimRedis(): Plugin {
  const missing = new Set(Object.keys(modules));
  let met = false;
  return {
    name: 'slim-redis',
    // Only asked for once metrics are turned on, which nobody does.
    resolveId: (source) => (source === '@opentelemetry/api' ? noMetrics : null),
    load(id) {
      if (id === noMetrics) return 'export default {};';
      const path = pathInClient(id);
      if (path === undefined) return null;
      met = true;
      missing.delete(path);
      return modules[path] ?? null;
    },
    buildEnd(error) {
      if (error || !met || missing.size === 0) return;
      this.error(
        `@redis/client no longer has ${[...missing].join(', ')}: look at what it does now and bring build/plugins/slim-redis.ts up to date`,
      );
    },
  };
}
