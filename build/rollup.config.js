const major = Number(process.versions.node.split('.')[0]);
if (major < 24) {
  throw new Error(`functions are bundled on Node 24, this is ${process.version}: run "npm ci" at the project's root, which brings one`);
}

/**
 * For `rollup -c ../../../build/rollup.config.js` in a function's folder, which is its `npm run build`. It ends at once where the
 * bundle is already the one it would make.
 */
export default async function config({ watch }) {
  const { isFresh } = await import('./freshness.ts');
  const folder = process.cwd();
  if (!watch && isFresh(folder)) {
    process.stderr.write('bundle.js is up to date\n');
    process.exit(0);
  }
  const { bundleOptions } = await import('./bundle-options.ts');
  return bundleOptions(folder);
}
