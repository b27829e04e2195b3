#!/usr/bin/env node
import { fileURLToPath } from 'node:url';
import { boot } from './setup/boot.mjs';
import { endWithNpm } from './setup/end-with-npm.mjs';

/** What package.json's scripts call: `node build/run.mjs <task> [arguments]`. Each imports what it needs and no more. */
const tasks = {
  start: async ({ args }) => (await import('../lib/cli/deckhand.ts')).main(['start'].concat(args)),
  test: async ({ root, args }) => (await import('./check.ts')).test(root, args),
  check: async ({ root }) => (await import('./check.ts')).check(root),
  build: async ({ root }) => (await import('./bundle.ts')).main(root),
  package: async ({ root }) => (await import('./package.ts')).main(root),
  docs: async () => void (await Promise.all([import('./docs/tools-page.ts'), import('./docs/performance-page.ts')])),
  conformance: async ({ args }) => (await import('../test/conformance/main.ts')).main(args),
  chaos: async ({ args }) => (await import('../test/chaos/main.ts')).main(args),
  fuzz: async ({ args }) => (await import('../test/fuzz/main.ts')).main(args),
  crash: async ({ args }) => (await import('../test/crash/main.ts')).main(args),
  bench: async ({ args }) => (await import('../test/bench/main.ts')).main(args),
};

endWithNpm();
await boot(fileURLToPath(import.meta.url), async ({ root, args }) => {
  const task = tasks[args[0]];
  if (task) return task({ root, args: args.slice(1) });
  process.stderr.write(`build/run.mjs: no task ${JSON.stringify(args[0] || '')}; there are: ${Object.keys(tasks).join(', ')}\n`);
  return 1;
});
