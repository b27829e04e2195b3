import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { buildFunction, functionsOf } from '../../build/bundle.ts';

const root = join(import.meta.dirname, '../..');

/** Modules of Node that cost milliseconds of a cold start: only a call needs them, and then only some. */
const late = ['http', 'https', 'http2', 'net', 'tls', 'crypto', 'zlib', 'sqlite', 'worker_threads', 'internal/deps/undici/undici'];

describe.each(functionsOf(root).map((folder) => ({ name: folder.slice(root.length + 1), folder })))('$name', ({ folder }) => {
  it('loads with nothing but main to show, and leaves for a call what only a call needs', async () => {
    await buildFunction(folder);
    const { stdout } = await promisify(execFile)(process.execPath, [join(import.meta.dirname, 'load-bundle.cjs')], { cwd: folder });
    const { exported, loaded } = JSON.parse(stdout);
    expect(exported).toEqual(['main: function']);
    expect(late.filter((name) => loaded.includes(name))).toEqual([]);
  });

  it('has V8 read neither a declaration nor what carries a call out, before there is a call', async () => {
    await buildFunction(folder);
    const code = readFileSync(join(folder, 'bundle.js'), 'utf8').replace(/\/\*[\s\S]*?\*\//g, '');
    const late = ['\n    route:', '\n    calls:', 'function perform(', 'function readArguments(', 'jsonata', 'undici', 'llhttp'];
    expect(late.filter((word) => code.includes(word))).toEqual([]);
  });

  it('carries its schemas as text, and nothing that could build one', async () => {
    await buildFunction(folder);
    const bundle = readFileSync(join(folder, 'bundle.js'), 'utf8');
    expect(bundle).toContain('inputSchema');
    expect(bundle).not.toMatch(/ZodObject|\$ZodType|toJSONSchema\(/);
  });
});
