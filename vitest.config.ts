import { defineConfig } from 'vitest/config';

const major = Number(process.versions.node.split('.')[0]);
if (major < 24) {
  throw new Error(`the tests run on Node 24 or newer, this is ${process.version}: start them with "npm test", which brings its own Node`);
}

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    exclude: ['test/fixtures/**'],
    environment: 'node',
    pool: 'forks',
    // Most tests wait for processes: one file for every core, where the default leaves a core idle.
    maxWorkers: '100%',
    testTimeout: 60_000,
    hookTimeout: 120_000,
    // What is waited for comes soon; on a busy machine not within the second that is the default.
    expect: { poll: { timeout: 20_000 } },
  },
});
