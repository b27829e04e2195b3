import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { createInterface, type Interface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import type { Effort } from './harness/effort.ts';
import { interleave } from './harness/interleave.ts';
import { type Table, tabulate } from './harness/table.ts';
import { temporary } from './host/deployed.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
const functions = { plain: 'packages/a/plain.js', rollup: 'packages/a/rollup/index.js' };

const files: Readonly<Record<string, string>> = {
  'packages/a/rollup/package.json': '{"type":"module","scripts":{"build":"rollup --config"}}',
  'packages/a/rollup/rollup.config.js': `import { nodeResolve } from '@rollup/plugin-node-resolve';
import commonjs from '@rollup/plugin-commonjs';
export default { input: 'index.js', output: { file: 'bundle.js', format: 'cjs' }, plugins: [nodeResolve(), commonjs()] };
`,
  'packages/a/rollup/.include': 'bundle.js\n',
  // As after an installation, which is not what is measured.
  'packages/a/rollup/package-lock.json': '{"lockfileVersion":3,"packages":{}}',
  'packages/a/rollup/node_modules/.package-lock.json': '{"lockfileVersion":3,"packages":{}}',
};

/** Measures `serverless dev`: from saving a source to the first answer of the new version, a cold start among it. */
export async function run(effort: Effort): Promise<readonly Table[]> {
  const dir = temporary();
  for (const [name, text] of Object.entries(files)) write(dir, name, text);
  save(dir, 'rollup', 'word');
  save(dir, 'plain', 'word');
  symlinkSync(join(root, 'node_modules'), join(dir, 'node_modules'));
  const developing = await develop(dir);
  const title = '`serverless dev`: from saving to the new version serving';
  const timed = (work: () => Promise<number>) => async () => ({ ms: await work() });
  const measures = {
    node: timed(() => ended('node', ['-e', '0'], dir)),
    plain: timed(() => developing.serve('plain')),
    rollup: timed(() => developing.serve('rollup')),
    bareRollup: timed(() => ended('rollup', ['--config', '--silent'], join(dir, dirname(functions.rollup)))),
  };
  try {
    const seen = await interleave(effort, { title, control: 'node', watched: 'ms', measures });
    const shown = {
      node: { name: '`node -e 0`' },
      plain: { name: 'plain JavaScript', mark: { of: 'value', atMost: 300 } },
      rollup: { name: 'bundled by Rollup', mark: { of: 'value', atMost: 2000 } },
      bareRollup: { name: '`rollup --config` alone, nothing served' },
    } as const;
    return [tabulate(seen, { title, unit: 'ms', metric: 'ms', shown })];
  } finally {
    await developing.stop();
    rmSync(dir, { recursive: true, force: true });
  }
}

interface Developing {
  /** Saves another version; milliseconds until it answers. */
  readonly serve: (name: keyof typeof functions) => Promise<number>;
  readonly stop: () => Promise<void>;
}

async function develop(dir: string): Promise<Developing> {
  const args = [join(root, 'build/bin/serverless.mjs'), 'dev', dir, '--port', '0', '--json'];
  const child = spawn(process.execPath, args, { cwd: dir, stdio: ['ignore', 'pipe', 'ignore'] });
  const lines = createInterface(child.stdout);
  const gone = once(child, 'exit').then(() => {
    throw new Error('serverless dev ended');
  });
  // It ends when it is told to, too.
  gone.catch(() => {});
  const first = await deployment(lines, gone);
  const urls = new Map(first.map(({ name, url }) => [name, url]));
  let version = 0;
  const serve = async (name: keyof typeof functions): Promise<number> => {
    version += 1;
    const word = `version ${version}`;
    const startedAt = performance.now();
    const deployed = deployment(lines, gone);
    save(dir, name, word);
    await deployed;
    const answer = await (await fetch(urls.get(`a/${name}`) ?? '')).text();
    const ms = performance.now() - startedAt;
    if (answer !== word) throw new Error(`${name} was saved with "${word}" and answers "${answer}"`);
    return ms;
  };
  // The first builds find nothing in any cache.
  await serve('rollup');
  await serve('plain');
  const stop = async (): Promise<void> => {
    child.kill('SIGINT');
    await once(child, 'exit');
  };
  return { serve, stop };
}

/** What the next deployment put. */
async function deployment(lines: Interface, gone: Promise<never>): Promise<readonly { readonly name: string; readonly url: string }[]> {
  for (;;) {
    const [line] = await Promise.race([once(lines, 'line'), gone]);
    const { event, deployed, failed } = JSON.parse(line);
    if (event !== 'deployed') continue;
    if (failed.length > 0) throw new Error(failed[0].error);
    return deployed;
  }
}

function save(dir: string, name: keyof typeof functions, word: string): void {
  const code = { plain: 'exports.main = main;', rollup: 'export { main };' }[name];
  write(dir, functions[name], `const main = () => ({ body: '${word}' });\n${code}\n`);
}

function write(dir: string, name: string, text: string): void {
  mkdirSync(dirname(join(dir, name)), { recursive: true });
  writeFileSync(join(dir, name), text);
}

/** How long a command takes from start to end. */
async function ended(command: string, args: readonly string[], cwd: string): Promise<number> {
  const startedAt = performance.now();
  const [code] = await once(spawn(join(root, 'node_modules/.bin', command), args, { cwd, stdio: 'ignore' }), 'exit');
  if (code !== 0) throw new Error(`${command} ${args.join(' ')} ended with ${code}`);
  return performance.now() - startedAt;
}
