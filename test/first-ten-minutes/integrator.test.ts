import { execFile } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { buildAll } from '../../build/bundle.ts';
import { jsonOf } from '../support/json-of.ts';
import { type Started, started } from '../support/started.ts';
import { blocksUnder, lineOf, wordsOf } from './document.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
const page = 'docs/webhooks.md';

/** A clone of one's own: hooks are declared by editing it. What is built and installed already is not built and installed again. */
let clone: string;
let running: Started;
beforeAll(async () => {
  await buildAll(root);
  clone = mkdtempSync(join(tmpdir(), 'deckhand-test-'));
  const left = new Set(['node_modules', '.git', '.deckhand', 'dist', 'docs', 'test', 'settings.env']);
  const wanted = (path: string) =>
    !relative(root, path)
      .split(sep)
      .some((part) => left.has(part));
  cpSync(root, clone, { recursive: true, preserveTimestamps: true, filter: wanted });
  symlinkSync(join(root, 'node_modules'), join(clone, 'node_modules'));
  writeFileSync(join(clone, 'hooks.yml'), blocksUnder(page, 'Webhooks in', 'yaml').join('\n'));
  writeFileSync(join(clone, 'settings.env'), 'GITHUB_WEBHOOK_SECRET=chosen-on-the-page-of-the-sender\n');
  running = await started(['--speed', '0'], { GITHUB_WEBHOOK_SECRET: '' }, clone);
});
afterAll(async () => {
  await running.end();
  rmSync(clone, { recursive: true, force: true });
});

/** Runs the command of the page that reads so, in the clone; an id in it is that of the delivery. */
async function asWritten(command: string, id = ''): Promise<string> {
  const [, , ...args] = wordsOf(lineOf(blocksUnder(page, 'Trying a hook', 'text')[0] ?? '', command));
  const here = args.map((arg) => (/^[0-9a-f-]{36}$/.test(arg) ? id : arg));
  const { stdout } = await promisify(execFile)(process.execPath, ['build/bin/deckhand.mjs', ...here], {
    cwd: clone,
    env: { ...process.env, GITHUB_WEBHOOK_SECRET: '' },
  });
  return stdout;
}

const call = async (tool: string, given: unknown) => {
  const headers = { authorization: `Bearer ${running.ready.token}` };
  return (await jsonOf(fetch(`${running.ready.tools}/${tool}`, { method: 'POST', headers, body: JSON.stringify(given) }))).result;
};

/** The snapshots that the hook's rule has made: they bear the commit of the fixture. */
async function snapshots(): Promise<readonly unknown[]> {
  const { items } = await call('image-list', { Type: 'user' });
  return items.filter(({ name }: { readonly name: string }) => name.startsWith('7d1b31e'));
}

describe('an integrator who declares the hook of docs/webhooks.md', () => {
  it('sends it a fixture, sees the delivery, and carries it out again, each time to its effect once', async () => {
    const [{ id: ImageID }] = (await call('image-list', { Type: 'distribution', PerPage: 1 })).items;
    await call('instance-create', { Name: 'shop-1', Size: 's-1vcpu-1gb', ImageID, Region: 'nyc3', Tags: ['shop'] });

    const send = 'npx deckhand hooks send github-deploy --fixture github/workflow_run';
    expect(await asWritten('npx deckhand hooks list')).toMatch(/^github-deploy +ready/m);
    expect(JSON.parse(await asWritten(`${send} --dry-run`)).calls).toMatchObject([
      { tool: 'snapshot-instances-tag', result: { dryRun: true } },
    ]);
    expect(await snapshots()).toEqual([]);

    const sent = JSON.parse(await asWritten(send));
    expect(sent).toMatchObject({ status: 'done', calls: [{ tool: 'snapshot-instances-tag', isError: false }] });
    expect(await snapshots()).toHaveLength(1);
    expect(await asWritten('npx deckhand hooks deliveries')).toMatch(new RegExp(`${sent.id} +done +snapshot-instances-tag ok`));

    expect(JSON.parse(await asWritten('npx deckhand hooks replay', sent.id))).toMatchObject({ id: sent.id, status: 'done' });
    expect(await snapshots()).toHaveLength(2);
    expect(await asWritten('npx deckhand hooks deliveries')).toMatch(
      new RegExp(`${sent.id} +done \\(replay\\) +snapshot-instances-tag ok`),
    );
  });
});

it.each([['build'], ['start', '--ephemeral', '--port', '0', '--platform-port', '0']])(
  'an integrator who misspells hooks.yml is told the lines, and nothing else, by npm run %s',
  async (...task) => {
    const file = join(clone, 'hooks.yml');
    const right = readFileSync(file, 'utf8');
    onTestFinished(() => writeFileSync(file, right));
    writeFileSync(file, right.replace('verify: github', 'verify: gihub').replace('snapshot-instances-tag', 'snapshot-instance-tag'));
    const run = promisify(execFile)(process.execPath, ['build/run.mjs', ...task], { cwd: clone });
    const { code, stderr } = await run.then(
      () => ({ code: 0, stderr: '' }),
      (failure) => failure,
    );
    expect([code, stderr.trimEnd().split('\n')]).toEqual([
      1,
      [
        expect.stringMatching(/^(deckhand: )?hooks\.yml:3:13: .*\(did you mean github\?\)$/),
        expect.stringMatching(/^hooks\.yml:9:23: .*\(did you mean snapshot-instances-tag\?\)$/),
      ],
    ]);
  },
);
