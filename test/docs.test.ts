import { execFile } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import manifest from '../package.json' with { type: 'json' };
import { type Started, started } from './support/started.ts';

const root = fileURLToPath(new URL('..', import.meta.url));
const pages = [
  'README.md',
  'ARCHITECTURE.md',
  'CONTRIBUTING.md',
  ...readdirSync(join(root, 'docs'))
    .filter((name) => name.endsWith('.md'))
    .map((name) => `docs/${name}`),
];
const textOf = (page: string) => readFileSync(join(root, page), 'utf8');

/** The shell blocks of a page, each as it is typed. */
function shellBlocks(page: string): readonly string[] {
  return [...textOf(page).matchAll(/^```sh\n(.*?)^```$/gms)].map(([, block]) => block?.trim() ?? '');
}

/** What commands print wherever a block has them. */
const shown: readonly (readonly [command: string, output: RegExp])[] = [
  ['?name=Sammy"', /^Hello Sammy!/m],
  ['activations logs', / stdout: Hello Sammy!$/m],
];

/** `npx` that takes no second to find out what package.json says: a shell function, which begins the commands of this project at once. */
const quickNpx = [
  'npx() { case "$1" in',
  ...Object.entries(manifest.bin).map(([name, file]) => `${name}) node ${file} "\${@:2}" ;;`),
  '*) echo "npx $1: no command of this project" >&2; return 1 ;;',
  'esac; }',
].join('\n');

describe('the shell blocks of the documents', () => {
  let running: Started;
  let data: string;
  // What a page has its reader export before the start.
  const settings = { UPTIME_HOOK_TOKEN: 'a-token-of-this-test' };
  beforeAll(async () => {
    data = mkdtempSync(join(tmpdir(), 'deckhand-test-'));
    running = await started(['--data', data], settings);
  });
  afterAll(async () => {
    await running.end();
    rmSync(data, { recursive: true, force: true });
  });

  const blocks = pages.flatMap((page) => shellBlocks(page).map((block) => [page, block] as const));

  it('are there, in the README first of all', () => {
    expect(shellBlocks('README.md').length).toBeGreaterThanOrEqual(3);
  });

  it.each(['docs/functions.md', 'docs/cli.md'])('are in %s too', (page) => {
    expect(shellBlocks(page)).not.toEqual([]);
  });

  it('take a reader of the README from nothing to an answer and its log in five lines', () => {
    const steps = [/ init /, / deploy /, / --url\)$/, /^curl /, / activations logs$/];
    const ways = shellBlocks('README.md').map((block) => block.split('\n'));
    expect(ways).toContainEqual(steps.map((step) => expect.stringMatching(step)));
  });

  it('start what the tests start', () => {
    expect(blocks.map(([, block]) => block)).toContain('npm start');
    expect(manifest.scripts.start).toBe('node build/run.mjs start');
  });

  it.each(blocks.filter(([, block]) => block !== 'npm start'))('%s: %s', async (page, block) => {
    const { host: router } = new URL(running.ready.router);
    const { host: platform } = new URL(running.ready.platform);
    const script = block
      .replaceAll('/tmp/', `${data}/projects/`)
      .replaceAll('127.0.0.1:3233', router)
      .replaceAll('127.0.0.1:3232', platform)
      .replaceAll('.deckhand/', `${data}/`);
    // What the command line finds in .deckhand/ of its directory lies elsewhere in this test.
    const env = { ...process.env, ...settings, NIMBELLA_DIR: join(data, 'host') };
    // That npx finds the commands, the README's blocks show.
    const typed = page === 'README.md' ? script : `${quickNpx}\n${script}`;
    const { stdout } = await promisify(execFile)('bash', ['-euo', 'pipefail', '-c', typed], { cwd: root, env });
    expect(stdout).not.toContain('"isError":true');
    expect(stdout.trim()).not.toBe('');
    for (const [, output] of shown.filter(([command]) => block.includes(command))) expect(stdout).toMatch(output);
  });
});

describe('outside this repository', () => {
  it('npx is told deckhand, never serverless alone, which fetches an unrelated package there', () => {
    const onesOwn = textOf('docs/functions.md')
      .split(/^(?=## )/m)
      .filter((section) => section.startsWith('## In a project of its own'));
    for (const text of [textOf('README.md'), ...onesOwn]) {
      expect(text).toContain('npx deckhand serverless');
      expect(text).not.toContain('npx serverless');
    }
    expect(onesOwn).toHaveLength(1);
  });
});

describe('the links of the documents', () => {
  it.each(pages)('%s leads nowhere that does not exist', (page) => {
    const links = [...textOf(page).matchAll(/\]\(([^)#]+)(#[^)]*)?\)/g)]
      .map(([, link]) => link ?? '')
      .filter((link) => !/^https?:/.test(link));
    expect(links.filter((link) => !existsSync(join(root, dirname(page), link)))).toEqual([]);
  });

  it.each(pages)('%s names no file that does not exist', (page) => {
    const named = [...textOf(page).matchAll(/`((?:lib|test|build|packages|docs)\/[\w./-]+\.\w+)`/g)].map(([, path]) => path ?? '');
    expect(named.filter((path) => !existsSync(join(root, path)))).toEqual([]);
  });
});
