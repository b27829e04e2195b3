import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { buildFunction, functionsOf } from '../../build/bundle.ts';

const root = join(import.meta.dirname, '../..');

describe.each(functionsOf(root).map((folder) => [folder.slice(root.length + 1), folder]))('%s', (_name, folder) => {
  it('loads as the runtime loads it, with what only a call needs left for later', async () => {
    await buildFunction(folder);
    const script = `
      const code = require('node:fs').readFileSync('bundle.js', 'utf8');
      const exports_ = {};
      (function (exports) { eval(code); })(exports_);
      const late = ['http', 'https', 'crypto', 'net', 'tls', 'internal/deps/undici/undici', 'http2', 'zlib', 'dns', 'worker_threads', 'sqlite'];
      const loaded = late.filter((name) => process.moduleLoadList.includes('NativeModule ' + name));
      process.stdout.write(JSON.stringify({ main: typeof exports_.main, loaded, exported: Object.keys(exports_) }));`;
    const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=commonjs', '-e', script], { cwd: folder });
    expect(JSON.parse(stdout)).toEqual({ main: 'function', loaded: [], exported: ['main'] });
  });
});
