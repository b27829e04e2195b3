import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { jsonOf } from '../support/json-of.ts';
import { type Started, started } from '../support/started.ts';
import { signed } from '../webhooks/support/sender.ts';

const secret = 'canary-github-secret';
let running: Started;
let data: string;
beforeAll(async () => {
  data = mkdtempSync(join(tmpdir(), 'deckhand-test-'));
  running = await started(['--data', data, '--speed', '0'], {
    GITHUB_WEBHOOK_SECRET: secret,
    SLACK_SIGNING_SECRET: '',
    UPTIME_HOOK_TOKEN: '',
  });
});
afterAll(async () => {
  await running.end();
  rmSync(data, { recursive: true, force: true });
});

const bearer = () => ({ authorization: `Bearer ${running.ready.token}`, 'content-type': 'application/json' });
const call = async (tool: string, given: unknown) =>
  (await jsonOf(fetch(`${running.ready.tools}/${tool}`, { method: 'POST', headers: bearer(), body: JSON.stringify(given) }))).result;

const failedRun = JSON.stringify({
  action: 'completed',
  repository: { name: 'shop' },
  workflow_run: { conclusion: 'failure', head_sha: '7d1b31e' },
});
const deliver = (body: string, id: string, key = secret) =>
  fetch(`${running.ready.hooks}/github-deploy`, { method: 'POST', headers: signed.github(body, key, id, 'workflow_run'), body });

describe('the webhooks of a local start', () => {
  it('are served under /hooks, and say which are ready and what the others lack', async () => {
    expect(running.ready.hooks).toBe(`${running.ready.router}/hooks`);
    const { hooks } = await jsonOf(fetch(`${running.ready.hooks}/health`));
    expect(hooks).toMatchObject([
      { name: 'github-deploy', ready: true, missing: [], dedupe: expect.stringMatching(/^in the store/) },
      { name: 'slack-ops', ready: false, missing: ['SLACK_SIGNING_SECRET missing'] },
      { name: 'uptime-down', ready: false, missing: ['UPTIME_HOOK_TOKEN missing'] },
    ]);
  });

  it('act on the platform once, by the host and the deployed function, and are remembered', async () => {
    const images = await call('image-list', { Type: 'distribution', PerPage: 1 });
    const ImageID = images.items[0].id;
    await call('instance-create', { Name: 'web-1', Size: 's-1vcpu-1gb', ImageID, Region: 'nyc3', Tags: ['shop'] });
    const first = await deliver(failedRun, 'run-1');
    expect([first.status, await first.json()]).toEqual([
      200,
      { id: 'run-1', status: 'done', calls: [{ tool: 'snapshot-instances-tag', isError: false }] },
    ]);
    expect(await (await deliver(failedRun, 'run-1')).json()).toMatchObject({ status: 'duplicate' });
    const { items } = await call('image-list', { Type: 'user' });
    expect(items.filter(({ name }: { name: string }) => name === '7d1b31e')).toHaveLength(1);
    const kept = await jsonOf(fetch(`${running.ready.hooks}/github-deploy/deliveries`, { headers: bearer() }));
    expect(kept.deliveries).toMatchObject([{ id: 'run-1', status: 'done', replayable: true }]);
  });

  it('refuse what is not signed, and what is too large', async () => {
    expect((await deliver(failedRun, 'run-2', 'other')).status).toBe(401);
    expect((await deliver(`"${'x'.repeat(1024 * 1024)}"`, 'run-3')).status).toBe(413);
  });
});

describe('deckhand hooks', () => {
  const cli = fileURLToPath(new URL('../../build/bin/deckhand.mjs', import.meta.url));
  const hooks = async (...args: readonly string[]) => {
    const env = { ...process.env, GITHUB_WEBHOOK_SECRET: secret };
    const { stdout } = await promisify(execFile)(process.execPath, [cli, 'hooks', ...args, '--data', data], { env });
    return stdout;
  };

  it('lists hooks, sends signed fixtures, lists what came, and carries it out again', async () => {
    expect(await hooks('list')).toMatch(/^github-deploy +ready .*\n(.*\n)*slack-ops +SLACK_SIGNING_SECRET missing/m);
    const dry = JSON.parse(await hooks('send', 'github-deploy', '--fixture', 'github/workflow_run', '--dry-run'));
    expect(dry.calls).toMatchObject([{ tool: 'snapshot-instances-tag', result: { dryRun: true } }]);
    const sent = JSON.parse(await hooks('send', 'github-deploy', '--fixture', 'github/workflow_run'));
    expect(sent).toMatchObject({ status: 'done' });
    expect(await hooks('deliveries', 'github-deploy')).toMatch(new RegExp(`${sent.id} +done +snapshot-instances-tag ok`));
    expect(JSON.parse(await hooks('replay', sent.id))).toMatchObject({ id: sent.id, status: 'done' });
    const file = join(data, 'body.json');
    writeFileSync(file, failedRun);
    expect(JSON.parse(await hooks('send', 'github-deploy', '--file', file, '--dry-run'))).toMatchObject({ status: 'ignored' });
    expect(JSON.parse(await hooks('send', 'github-deploy', '--fixture', 'github/ping'))).toMatchObject({ status: 'ignored' });
  });

  it.each([
    [['send', 'github-deploy', '--fixture', 'github/nonsense'], /there are github\/ping/],
    [['send', 'nonsense', '--fixture', 'github/ping'], /there is no hook nonsense; there are github-deploy/],
    [['send', 'slack-ops', '--fixture', 'slack/slash_command'], /set SLACK_SIGNING_SECRET/],
    [['replay', 'nonsense'], /404: no delivery "nonsense" is/],
  ])('says in a sentence why it cannot: %j', async (args, said) => {
    await expect(hooks(...args)).rejects.toMatchObject({ code: 1, stderr: expect.stringMatching(said) });
  });
});
