/** The files of a project, by path. */
type Files = Readonly<Record<string, string>>;

/** A function of several files that reads one of them by a relative path, and tells which it was deployed with. */
const reader = `const { readdirSync, readFileSync } = require('node:fs');
const { greet } = require('./greet.js');
exports.main = () => ({ body: { greeting: greet(readFileSync('data/name.txt', 'utf8').trim()), files: readdirSync('.').sort() } });
`;
const readerFiles: Files = {
  'index.js': reader,
  'greet.js': "exports.greet = (name) => 'Hello ' + name;\n",
  'data/name.txt': 'Sammy\n',
  'notes.md': 'What the function does not need.\n',
};

/** A source as Rollup wants it: ES modules, and the handler exported under its own name. */
const rollupSource = `import { word } from './word.js';
const handler = () => ({ body: word });
export const main = handler;
`;
const rollupConfig = `import commonjs from '@rollup/plugin-commonjs';
import { nodeResolve } from '@rollup/plugin-node-resolve';
export default { input: 'index.js', output: { file: 'bundle.js', format: 'cjs' }, plugins: [nodeResolve(), commonjs()] };
`;
/** A bundle as Webpack and Parcel leave it, and one that reads an asset beside it. */
const globalBundle = "(() => { global.main = () => ({ body: 'bundled' }); })();\n";
const bundleWithAsset = "(() => { global.main = () => ({ body: require('fs').readFileSync('asset.txt', 'utf8') }); })();\n";

/**
 * What the specification says of a function's directory, once for each kind: "Handler", "Project layout", "package.json" and "Bundlers". What Webpack
 * and Parcel make is there as they leave it; that they make it is seen in test/deployer/public-deployer.test.ts.
 */
const directories: Readonly<Record<string, Files>> = {
  'context.js': { '': 'exports.main = (_, context) => ({ body: { ...context, left: context.getRemainingTimeInMillis() } });\n' },
  'version.js': { '': 'exports.main = () => ({ body: process.version });\n' },
  'named.js': { '': "exports.handle = () => ({ body: 'named' });\n" },
  'asks.js': { '': "exports.main = () => ({ body: typeof require('axios').get });\n" },
  whole: readerFiles,
  ignoring: { ...readerFiles, '.ignore': '*.md\n' },
  including: { ...readerFiles, '.include': 'data\nindex.js\ngreet.js\n' },
  commonjs: { 'package.json': '{"main":"source/f.js"}', 'source/f.js': "exports.main = () => ({ body: 'commonjs' });\n" },
  module: {
    'package.json': '{"main":"source/f.js","type":"module"}',
    'source/f.js': "import { word } from './word.js';\nexport const main = () => ({ body: word });\n",
    'source/word.js': "export const word = 'module';\n",
  },
  extension: { 'package.json': '{"main":"f.mjs"}', 'f.mjs': "export const main = () => ({ body: 'extension' });\n" },
  rollup: {
    'package.json': '{"type":"module","scripts":{"build":"rollup -c"}}',
    'rollup.config.js': rollupConfig,
    'index.js': rollupSource,
    'word.js': "export const word = 'rolled up';\n",
    '.include': 'bundle.js\n',
  },
  webpack: { 'dist/bundle.js': globalBundle, '.include': 'dist/bundle.js\n', 'index.js': 'not deployed\n' },
  parcel: { 'bundle.js': globalBundle, '.include': 'bundle.js\n', 'index.js': 'not deployed\n' },
  assets: { 'bundle.js': bundleWithAsset, 'asset.txt': 'asset', '.include': 'bundle.js\nasset.txt\n', 'index.js': 'not deployed\n' },
};

/** A project with a package for each kind, `on14` for `nodejs:14`, of the same functions. */
export function projectOfKinds(kinds: readonly string[]): Files {
  const names = Object.keys(directories).map((name) => name.replace(/\.js$/, ''));
  const functions = (kind: string) =>
    names.map((name) => `      - { name: ${name}, runtime: "${kind}"${name === 'named' ? ', main: handle' : ''} }`);
  const packages = kinds.flatMap((kind) => [`  - name: ${packageOf(kind)}`, '    functions:', ...functions(kind)]);
  const files = kinds.flatMap((kind) =>
    Object.entries(directories).flatMap(([directory, held]) =>
      Object.entries(held).map(([name, text]) => [`packages/${packageOf(kind)}/${directory}${name && `/${name}`}`, text] as const),
    ),
  );
  return { 'project.yml': ['packages:', ...packages, ''].join('\n'), ...Object.fromEntries(files) };
}

/** The package of a project of kinds that holds the functions of one. */
export function packageOf(kind: string): string {
  return kind.replace('nodejs:', 'on');
}
