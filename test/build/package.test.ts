import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { registryProblem } from '../deployer/support/registry-problem.ts';
import { blocksUnder, lineOf, wordsOf } from '../first-ten-minutes/document.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
const problem = await registryProblem();
if (problem) process.stderr.write(`the package is not tried: ${problem}\n`);

/** What stands around a foreign project: nothing of this repository on the path, nothing of an npm that runs the tests. */
const foreign = Object.fromEntries([
  ...Object.entries(process.env).filter(([name]) => !/^(npm_|__OW_|DIGITALOCEAN_|NIMBELLA_|PLATFORM_)/i.test(name)),
  [
    'PATH',
    (process.env.PATH ?? '')
      .split(delimiter)
      .filter((part) => !part.includes('node_modules'))
      .concat(join(process.execPath, '..'))
      .join(delimiter),
  ],
]);

const run = (cwd: string, command: string, ...args: readonly string[]) => promisify(execFile)(command, args, { cwd, env: foreign });

describe.skipIf(problem !== null)('the package, installed in a foreign, empty project', () => {
  let dir: string;
  let project: string;
  let shipped: readonly string[];

  beforeAll(async () => {
    dir = realpathSync(mkdtempSync(join(tmpdir(), 'deckhand-package-')));
    project = join(dir, 'foreign');
    mkdirSync(project);
    await run(root, 'npm', 'pack', '--pack-destination', dir);
    const [tarball = ''] = readdirSync(dir).filter((name) => name.endsWith('.tgz'));
    shipped = (await run(dir, 'tar', 'tzf', tarball)).stdout.trim().split('\n');
    writeFileSync(join(project, 'package.json'), '{"name":"foreign","version":"1.0.0","type":"module","scripts":{"test":"node own.mjs"}}');
    await run(project, 'npm', 'install', '--prefer-offline', '--no-audit', '--no-fund', join(dir, tarball));
  }, 300_000);
  afterAll(() => rmSync(dir, { recursive: true, force: true }));

  /** A command of the package that goes on, once it has printed the text; it ends with the test. */
  async function until(
    text: string,
    ...args: readonly string[]
  ): Promise<{ readonly out: string; readonly child: ChildProcess; readonly printed: () => string }> {
    const child = spawn(join(project, 'node_modules/.bin/deckhand'), args, { cwd: project, env: foreign });
    onTestFinished(() => void child.kill('SIGKILL'));
    let out = '';
    await new Promise<void>((resolve, reject) => {
      const add = (chunk: Buffer): void => {
        out += chunk;
        if (out.includes(text)) resolve();
      };
      child.stdout.on('data', add);
      child.stderr.on('data', add);
      child.once('exit', (code) => reject(new Error(`ended with ${code} before it printed ${text}:\n${out}`)));
    });
    return { out, child, printed: () => out };
  }

  it('holds what is run and nothing else', () => {
    const places = shipped.map((path) => path.replace(/^package\//, ''));
    const allowed =
      /^(package\.json|README\.md|LICENSE|build\/(bin|setup)\/[\w-]+\.mjs|dist\/(js\/[\w-]+\.js|launcher\.cjs|emulator\.mjs|emulator\.d\.mts|functions\/.+))$/;
    expect(places.filter((path) => !allowed.test(path))).toEqual([]);
    expect(places).toContain('dist/functions/packages/gateway/router/bundle.js');
  });

  it('tells nobody to type npx serverless, which fetches an unrelated package where this one is not installed', () => {
    const place = join(project, 'node_modules/deckhand');
    const saying = shipped.filter((path) => readFileSync(join(place, path.replace(/^package\//, ''))).includes('npx serverless'));
    expect(saying).toEqual([]);
  });

  it('takes a team with no account from a new project, in the words of docs/functions.md, to a change, a deployment, an answer and its log', async () => {
    const [first = '', second = ''] = blocksUnder('docs/functions.md', 'In a project of its own', 'text');
    const made = await run(project, 'bash', '-c', lineOf(first, 'npx deckhand serverless init'));
    expect(made.stdout).toContain('\n  npx deckhand serverless deploy hello\n');
    const dev = wordsOf(lineOf(first, 'npx deckhand dev')).slice(2);
    const { child, printed } = await until('watching hello', ...dev, '--port', '0');
    const hello = join(project, 'hello');
    const asWritten = async (start: string) => (await run(hello, 'bash', '-c', lineOf(second, start))).stdout;
    expect(await asWritten('curl')).toBe('Hello Sammy!');

    const source = join(hello, 'packages/sample/hello/hello.js');
    const edited = readFileSync(source, 'utf8').replaceAll('Hello ', 'Ahoy ');
    writeFileSync(source, edited);
    await expect.poll(printed).toContain('serving sample/hello 0.0.2');
    expect(await asWritten('curl')).toBe('Ahoy Sammy!');
    expect(await asWritten('npx deckhand serverless deploy')).toContain('sample/hello');
    expect(await asWritten('curl')).toBe('Ahoy Sammy!');
    expect(await asWritten('npx deckhand serverless activations logs')).toContain('Ahoy Sammy!');
    child.kill('SIGINT');
    await once(child, 'exit');
  });

  it('gives tests an emulator, with its types', async () => {
    const own = `import { startEmulator, type Emulator } from 'deckhand/emulator';
const emulator: Emulator = await startEmulator({ speed: 0 });
const answer = await fetch(\`\${emulator.url}/v2/account\`, { headers: { authorization: \`Bearer \${emulator.token}\` } });
process.stdout.write(String(answer.status));
await emulator.close();
`;
    writeFileSync(join(project, 'own.mts'), own);
    writeFileSync(join(project, 'own.mjs'), own.replace(', type Emulator', '').replace(': Emulator', ''));
    expect((await run(project, 'npm', 'test', '--silent')).stdout).toBe('200');
    const typescript = [
      '--noEmit',
      '--strict',
      '--target',
      'es2023',
      '--module',
      'nodenext',
      '--types',
      'node',
      '--typeRoots',
      join(root, 'node_modules/@types'),
    ];
    await run(project, process.execPath, join(root, 'node_modules/typescript/bin/tsc'), ...typescript, 'own.mts');
  });

  it('starts emulator, host and tools', async () => {
    const { out, child } = await until('"ready":true', 'start', '--port', '0', '--platform-port', '0', '--json');
    const { tools, token } = JSON.parse(out.slice(out.indexOf('{')));
    const answer = await fetch(`${tools}/size-list`, { method: 'POST', headers: { authorization: `Bearer ${token}` }, body: '{}' });
    expect(await answer.json()).toMatchObject({ tool: 'size-list', isError: false });
    child.kill('SIGINT');
    await once(child, 'exit');
  });
});
