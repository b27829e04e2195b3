import { execFile, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';

const root = join(import.meta.dirname, '../..');

/** A project of one function, gateway/router, in a folder of its own with our dependencies. */
export interface Project {
  /** The function's folder. */
  readonly folder: string;
  /** Writes a file; the path is from the function's folder. */
  write(path: string, text: string): string;
  /** Does what `npm run build` does in the function's folder. */
  build(): { readonly status: number | null; readonly stderr: string };
  /**
   * Loads bundle.js the way the runtime does, as a code string, in a new Node, and evaluates an expression there, which may await.
   * It sees `main`, and `loaded(name)`: whether Node has loaded its own module of that name.
   *
   * @param environment variables beside those of this process
   */
  run(expression: string, environment?: Readonly<Record<string, string>>): Promise<unknown>;
  remove(): void;
}

export function project(): Project {
  const top = realpathSync(mkdtempSync(join(tmpdir(), 'bundle-')));
  const folder = join(top, 'packages/gateway/router');
  symlinkSync(join(root, 'node_modules'), join(top, 'node_modules'), 'junction');
  const write = (path: string, text: string): string => {
    const full = join(folder, path);
    mkdirSync(dirname(full), { recursive: true });
    writeFileSync(full, text);
    return full;
  };
  write('package.json', JSON.stringify({ type: 'module', scripts: { build: 'rollup -c ../../../build/rollup.config.js' } }));
  return {
    folder,
    write,
    build() {
      const rollup = join(root, 'node_modules/rollup/dist/bin/rollup');
      return spawnSync(process.execPath, [rollup, '-c', join(root, 'build/rollup.config.js')], {
        cwd: folder,
        encoding: 'utf8',
        stdio: 'pipe',
      });
    },
    async run(expression, environment) {
      const script = `
        const code = require('node:fs').readFileSync('bundle.js', 'utf8');
        const main = (() => { const exports = {}; eval(code); return exports.main; })();
        const loaded = (name) => process.moduleLoadList.includes('NativeModule ' + name);
        (async () => process.stdout.write(JSON.stringify(await (${expression})) ?? 'null'))();`;
      const env = { ...process.env, ...environment };
      const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=commonjs', '-e', script], { cwd: folder, env });
      return JSON.parse(stdout);
    },
    remove: () => rmSync(top, { recursive: true, force: true }),
  };
}
