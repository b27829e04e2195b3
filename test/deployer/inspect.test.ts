import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { Finding } from '../../lib/deployer/inspect/finding.ts';
import { inspectDirectory } from '../../lib/deployer/inspect/inspect-project.ts';
import { HELLO, tempProject } from './support/temp-project.ts';

const inspect = (files: Readonly<Record<string, string | Buffer>>): Promise<readonly Finding[]> =>
  inspectDirectory(tempProject(files), { env: {} });

const inFunction = (files: Readonly<Record<string, string | Buffer>>) =>
  Object.fromEntries(Object.entries(files).map(([name, content]) => [`packages/p/f/${name}`, content]));

const GLOBAL_MAIN = '(()=>{global.main=()=>({body:1})})();';
const withSettings = (settings: string): Readonly<Record<string, string>> => ({
  'packages/p/f.js': HELLO,
  'project.yml': `packages: [{name: p, functions: [{name: f, ${settings}}]}]\n`,
});

describe('inspecting finds', () => {
  it.each<[string, Readonly<Record<string, string | Buffer>>, Finding['severity'], string, string]>([
    [
      'CommonJS beside type: module in a zip',
      inFunction({ 'package.json': '{"type": "module", "main": "bundle.js"}', 'bundle.js': HELLO }),
      'error',
      'packages/p/f/bundle.js',
      'bundle.js is CommonJS, and package.json beside it says "type": "module"',
    ],
    [
      'global.main in a zip',
      inFunction({ 'index.js': GLOBAL_MAIN, 'data.txt': '' }),
      'error',
      'packages/p/f/index.js',
      'index.js assigns global.main, which is found only where it is the single file; with data.txt beside it',
    ],
    [
      'a zip without an entry',
      inFunction({ 'handler.js': HELLO, 'data.txt': '' }),
      'error',
      'packages/p/f',
      'none to start from: it has no index.js',
    ],
    [
      'a zip whose package.json names what is not deployed',
      inFunction({ 'package.json': '{"main": "dist/x.js"}', 'handler.js': HELLO, '.ignore': 'dist\n' }),
      'error',
      'packages/p/f',
      'its package.json names dist/x.js, which is not deployed',
    ],
    [
      'files that do not tell their kind',
      inFunction({ 'index.mjs': 'export const main = () => ({ body: 1 });', 'x.txt': '' }),
      'error',
      'packages/p/f',
      "nothing tells the platform's deployer its kind: none of index.mjs, x.txt ends with .js",
    ],
    [
      'TypeScript as a single file',
      { 'packages/p/f.ts': HELLO },
      'warning',
      'packages/p/f.ts',
      'its TypeScript is uploaded as it is, and read as JavaScript: the first type in it stops it',
    ],
    [
      'a type in a single file',
      { 'packages/p/f.ts': 'exports.main = () => ({ body: one });\nconst one: number = 1;\n' },
      'error',
      'packages/p/f.ts',
      'SyntaxError: Missing initializer in const declaration\nconst one: number = 1;',
    ],
    [
      'CommonJS that cannot be read',
      inFunction({ 'index.js': 'exports.main = ( => ({ body: 1 });\n', 'a.txt': '' }),
      'error',
      'packages/p/f/index.js',
      "SyntaxError: Unexpected token '=>'\nexports.main = ( => ({ body: 1 });",
    ],
    [
      'an ES module that cannot be read',
      { 'packages/p/f.js': 'export const main = ( => ({ body: 1 });\n' },
      'error',
      'packages/p/f.js',
      "SyntaxError: Unexpected token '=>'",
    ],
    ['raw TypeScript in a directory', inFunction({ 'index.ts': HELLO }), 'error', 'packages/p/f', 'TypeScript is uploaded as it is'],
    [
      'a handler without a body',
      { 'packages/p/f.js': 'exports.main = () => ({ greeting: "hi" });' },
      'warning',
      'packages/p/f.js',
      'none of its code mentions body',
    ],
    [
      'a handler of another name',
      { 'packages/p/f.js': 'exports.handler = () => ({ body: 1 });' },
      'warning',
      'packages/p/f.js',
      'no export named main can be seen in f.js',
    ],
    [
      'a file that its name keeps out',
      inFunction({ 'index.js': HELLO, 'a_tmp_b.js': '', 'c.txt': '' }),
      'warning',
      'packages/p/f/a_tmp_b.js',
      'a_tmp_b.js is not deployed',
    ],
    [
      'a timeout that is too long',
      withSettings('limits: {timeout: 900001}'),
      'error',
      'project.yml',
      'expected a whole number of milliseconds from 100 to 900000, got the number 900001',
    ],
    [
      'code that is too large',
      { 'packages/p/f.js': Buffer.concat([Buffer.from(HELLO), Buffer.alloc(49 * 1024 * 1024, ' ')]) },
      'error',
      'packages/p/f.js',
      'its code has 49.0 MB, and the platform takes 48 MB',
    ],
    [
      'code that is nearly too large',
      inFunction({ 'index.js': HELLO, data: Buffer.alloc(40 * 1024 * 1024) }),
      'warning',
      'packages/p/f',
      'its code has 40.0 MB before it is zipped',
    ],
    [
      'packages that need not travel',
      inFunction({ 'index.js': HELLO, 'node_modules/big/index.js': `//${'x'.repeat(2 * 1024 * 1024)}` }),
      'warning',
      'packages/p/f',
      'it carries 2.0 MB of files with its node_modules',
    ],
    [
      'a workspace that takes packages away',
      {
        'package.json': '{"workspaces": ["packages/*/*"]}',
        ...inFunction({ 'package.json': '{"dependencies": {"x": "1"}}', 'index.js': HELLO }),
      },
      'warning',
      'packages/p/f',
      'the project is an npm workspace',
    ],
    [
      'a remote build that lacks its tools',
      {
        ...inFunction({ 'package.json': '{"scripts": {"build": "node ../../../build.mjs"}}', 'index.js': HELLO, '.include': 'index.js' }),
        'project.yml': 'packages: [{name: p, functions: [{name: f, remoteBuild: true}]}]\n',
      },
      'error',
      'packages/p/f',
      'remoteBuild: its build (node ../../../build.mjs) uses build.mjs',
    ],
    [
      'a comment in .include',
      inFunction({ 'index.js': HELLO, '.include': '# files\nindex.js\n' }),
      'error',
      'packages/p/f/.include',
      '.include has no comments',
    ],
    ['a script that cannot run', inFunction({ 'build.cmd': '' }), 'error', 'packages/p/f/build.cmd', 'runs on Windows only'],
    [
      'an environment that is no string',
      withSettings('environment: {A: 1}'),
      'error',
      'project.yml',
      'environment: A: expected a string, got a number',
    ],
  ])('%s', async (_, files, severity, file, message) => {
    const findings = await inspect(files);
    expect(findings).toContainEqual(expect.objectContaining({ severity, file, message: expect.stringContaining(message) }));
    expect(findings.filter((finding) => finding.severity === severity)).toHaveLength(1);
    expect(findings.every((finding) => finding.fix.length > 0)).toBe(true);
  });

  it('nothing in what the platform takes', async () => {
    const bundled = { '.include': 'bundle.js', 'package.json': '{"type": "module", "scripts": {"build": "rollup -c"}}', 'index.js': '' };
    expect(
      await inspect({
        ...inFunction({ ...bundled, 'bundle.js': HELLO }),
        'packages/p/global.js': GLOBAL_MAIN,
        'packages/p/esm.js': 'export async function main() { return { body: 1 }; }',
        'packages/p/zip/index.mjs': 'export { handler as main }; const handler = () => ({ body: 1 });',
        'packages/p/zip/more.js': 'export const body = 1;',
        'packages/p/named/index.js': 'exports.other = () => ({ body: 1 });',
        'packages/p/direct.js': 'exports.main = () => ({});',
        'project.yml':
          'packages: [{name: p, functions: [{name: named, main: other}, {name: direct, web: false}, {name: zip, runtime: "nodejs:24"}]}]\n',
      }),
    ).toEqual([]);
  });

  it('the line that cannot be read', async () => {
    const [finding] = await inspect({ 'packages/p/f.js': 'const body = 1;\n\nexports.main = ( => ({ body });\n' });
    expect(finding).toMatchObject({ severity: 'error', line: 3, function: 'p/f' });
  });

  it('that a function could not be looked at whose build has not been run', async () => {
    expect(await inspect(inFunction({ 'package.json': '{"scripts": {"build": "x"}}', '.include': 'bundle.js' }))).toMatchObject([
      { severity: 'note', function: 'p/f' },
    ]);
  });

  it('nothing else in the example shapes, which are not built here', async () => {
    const dir = mkdtempSync(join(tmpdir(), 'deckhand-inspect-'));
    onTestFinished(() => rmSync(dir, { recursive: true, force: true }));
    cpSync(fileURLToPath(new URL('../fixtures/projects/bundlers', import.meta.url)), dir, { recursive: true });
    expect((await inspectDirectory(dir, { env: {} })).filter(({ severity }) => severity !== 'note')).toEqual([]);
  });
});
