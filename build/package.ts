import { copyFileSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { isBuiltin } from 'node:module';
import { join, relative, resolve } from 'node:path';
import { type Plugin, rollup } from 'rollup';
import { dts } from 'rollup-plugin-dts';
import { buildAll, functionsOf } from './bundle.ts';
import { stripTypes } from './plugins/strip-types.ts';

/** What the package is used by: its two commands, and the emulator for other people's tests. */
const entries = {
  deckhand: 'lib/cli/deckhand.ts',
  serverless: 'lib/cli/serverless.ts',
  'start-emulator': 'lib/emulator/start-emulator.ts',
};

/**
 * Makes `dist/`, which with `build/bin` and `build/setup` is what `npm pack` ships: the sources in `lib/` as JavaScript, since Node takes no types
 * off files under node_modules; the functions as they are deployed; the emulator's types. Packages from npm are left to npm.
 */
export async function buildPackage(root: string): Promise<void> {
  const dist = join(root, 'dist');
  rmSync(dist, { recursive: true, force: true });
  await buildAll(root);
  await bundleSources(root, join(dist, 'js'));
  // The host looks for it one directory above its own code.
  copyFileSync(join(root, 'lib/host/launcher.cjs'), join(dist, 'launcher.cjs'));
  copyFileSync(join(root, 'build/emulator-entry.mjs'), join(dist, 'emulator.mjs'));
  await bundleTypes(root, join(dist, 'emulator.d.mts'));
  copyFunctions(root, join(dist, 'functions'));
}

/** `npm run package`, which `npm pack` runs too: says on stderr what it made, because npm's own output is on stdout. */
export async function main(root: string): Promise<void> {
  await buildPackage(root);
  process.stderr.write(`dist/: ${Math.round(sizeOf(join(root, 'dist')) / 1024)} KB\n`);
}

async function bundleSources(root: string, dir: string): Promise<void> {
  const input = Object.fromEntries(Object.entries(entries).map(([name, path]) => [name, join(root, path)]));
  const graph = await rollup({ input, external: isLeftOut, plugins: [stripTypes(), manifestVersion(root)] });
  const { output } = await graph.write({ dir, format: 'es', chunkFileNames: '[name]-[hash].js', hoistTransitiveImports: false });
  await graph.close();
  checkDependencies(
    root,
    output.flatMap((file) => (file.type === 'chunk' ? [...file.imports, ...file.dynamicImports] : [])),
  );
}

/** What only the functions use is in their bundles; what the package itself imports has to be installed with it. */
function checkDependencies(root: string, imports: readonly string[]): void {
  const { dependencies } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  const packages = imports.filter((id) => !isBuiltin(id) && !/\.(js|ts)$/.test(id)).map((id) => /^(@[^/]+\/)?[^/]+/.exec(id)?.[0] ?? id);
  const missing = [...new Set(packages)].filter((name) => dependencies[name] === undefined);
  if (missing.length > 0) throw new Error(`${missing.join(', ')}: the package imports it; move it to "dependencies" in package.json`);
}

async function bundleTypes(root: string, file: string): Promise<void> {
  const graph = await rollup({ input: join(root, entries['start-emulator']), external: isLeftOut, plugins: [dts()] });
  await graph.write({ file, format: 'es' });
  await graph.close();
}

/** Packages and Node's own modules; and the bundler of the functions, which has no work where they are bundled already. */
function isLeftOut(id: string): boolean {
  return !(id.startsWith('.') || resolve(id) === id) || id.endsWith('/build/bundle.ts');
}

/** Of package.json the code wants its version and nothing else. */
function manifestVersion(root: string): Plugin {
  return {
    name: 'manifest-version',
    transform: {
      filter: { id: /\.json$/ },
      handler(code, id) {
        if (id !== join(root, 'package.json')) throw new Error(`${relative(root, id)}: only the version of package.json is bundled`);
        return { code: `export default ${JSON.stringify({ version: JSON.parse(code).version })};`, map: null };
      },
    },
  };
}

/** The project as it is deployed with no build: what each `.include` lists, and what says how. */
function copyFunctions(root: string, to: string): void {
  for (const folder of functionsOf(root)) {
    const place = join(to, relative(root, folder));
    mkdirSync(place, { recursive: true });
    for (const name of ['.include', 'package.json', 'bundle.js']) copyFileSync(join(folder, name), join(place, name));
  }
  for (const file of ['project.yml', 'hooks.yml']) copyFileSync(join(root, file), join(to, file));
  // project.yml reads it; a local start decides what is in it.
  copyFileSync(join(root, 'settings.env.example'), join(to, 'settings.env'));
}

function sizeOf(dir: string): number {
  const names = readdirSync(dir, { recursive: true, encoding: 'utf8' });
  return names.reduce((sum, name) => sum + (statSync(join(dir, name)).isFile() ? statSync(join(dir, name)).size : 0), 0);
}
