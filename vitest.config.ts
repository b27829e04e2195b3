import { defineConfig } from 'vitest/config';

const major = Number(process.versions.node.split('.')[0]);
if (major < 24) {
  throw new Error(`the tests run on Node 24 or newer, this is ${process.version}: start them with "npm test", which brings its own Node`);
}

// Of two that contradict each other Node warns in every process; what tests start must say nothing of its own.
if (process.env.NO_COLOR !== undefined) delete process.env.FORCE_COLOR;

const { NO_PROXY, no_proxy = NO_PROXY } = process.env;
const noProxy = [...(no_proxy ? [no_proxy] : []), '127.0.0.1', 'localhost'].join(',');

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    exclude: ['test/fixtures/**'],
    environment: 'node',
    pool: 'forks',
    // Most tests wait for processes: one file for every core, where the default leaves a core idle.
    maxWorkers: '100%',
    // The servers of the tests are on this machine: a proxy that is set there is for what is not.
    env: { NO_PROXY: noProxy, no_proxy: noProxy },
    testTimeout: 60_000,
    hookTimeout: 120_000,
    // What is waited for comes soon; on a busy machine not within the second that is the default.
    expect: { poll: { timeout: 20_000 } },
  },
});
