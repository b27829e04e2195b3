#!/usr/bin/env node
import { fileURLToPath } from 'node:url';
import { boot } from '../setup/boot.mjs';

await boot(fileURLToPath(import.meta.url), async ({ args, isPackage }) => {
  const { main } = isPackage ? await import('../../dist/js/serverless.js') : await import('../../lib/cli/serverless.ts');
  return main(args);
});
