import { mkdtempSync, rmSync } from 'node:fs';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { json, text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runServerless } from '../cli/support/run-serverless.ts';
import { answersOf, deployPublicly } from '../deployer/support/deploy-publicly.ts';
import { tempProject } from '../deployer/support/temp-project.ts';
import { exitOf, type Started, started, startProcess } from '../support/started.ts';

const PLATFORM = 'api.digitalocean.com';
let running: Started;
let data: string;
beforeAll(async () => {
  data = mkdtempSync(join(tmpdir(), 'deckhand-test-'));
  running = await started(['--data', data, '--allow-host', PLATFORM, '--allow-host', 'functions.example']);
});
afterAll(async () => {
  await running.end();
  rmSync(data, { recursive: true, force: true });
});

/** A request as a proxy on this machine passes it on: to an address of loopback, under the name that the client asked for. */
function asked(name: string, address: string, path: string, body?: object): Promise<{ readonly status: number; readonly body: unknown }> {
  return new Promise((resolve, reject) => {
    const headers = { host: name, authorization: `Bearer ${running.ready.token}`, 'content-type': 'application/json' };
    request(new URL(path, address), { method: body ? 'POST' : 'GET', headers }, (answer) => {
      json(answer).then((read) => resolve({ status: answer.statusCode ?? 0, body: read }), reject);
    })
      .once('error', reject)
      .end(body && JSON.stringify(body));
  });
}

describe("clients of one's own, pointed at a local start", () => {
  it('deploy with what the printed line for doctl stores', async () => {
    const child = startProcess(['--data', data]);
    const block = child.stdout ? await text(child.stdout) : '';
    expect(await exitOf(child)).toBe(0);
    const line = /doctl serverless (connect --apihost \S+ --auth \S+)$/m.exec(block)?.[1] ?? '';
    const stored = join(data, 'client');
    expect(await runServerless({ cwd: data, env: { NIMBELLA_DIR: stored } }, ...line.split(' '))).toMatchObject({ code: 0 });

    const code = 'exports.main = ({ title }) => ({ body: { title } });';
    const outcome = await deployPublicly(tempProject({ 'packages/own/greet.js': code }), stored);
    expect(outcome).toEqual({ successes: ['own/greet'], failures: [] });
    const { apihost: url, namespace } = running.ready;
    expect(await answersOf({ url, namespace }, ['own/greet'])).toEqual({ 'own/greet': { title: 'Hello You' } });
  });

  it("are served under the platform's own names where those are allowed, schedules too", async () => {
    const { platform, apihost, namespace } = running.ready;
    expect(await asked(PLATFORM, platform, '/v2/account')).toMatchObject({ status: 200, body: { account: { status: 'active' } } });
    const triggers = `/v2/functions/namespaces/${namespace}/triggers`;
    const night = {
      name: 'night',
      function: 'gateway/router',
      type: 'SCHEDULED',
      is_enabled: false,
      scheduled_details: { cron: '0 3 * * *' },
    };
    expect(await asked(PLATFORM, platform, triggers, night)).toMatchObject({ status: 200, body: { trigger: { name: 'night' } } });
    expect(await asked(PLATFORM, platform, triggers)).toMatchObject({ body: { triggers: [{ name: 'night', is_enabled: false }] } });
    expect(await asked('functions.example', apihost, triggers)).toMatchObject({ body: { triggers: [{ name: 'night' }] } });
    expect(await asked('functions.example', apihost, '/api/v1')).toMatchObject({ status: 200 });
  });

  it('are refused under any other name, by the emulator, the host and the host behind the emulator', async () => {
    const { platform, apihost } = running.ready;
    for (const [address, path] of [
      [platform, '/v2/account'],
      [platform, '/v2/functions/namespaces'],
      [apihost, '/v2/functions/namespaces'],
      [apihost, '/health'],
    ] as const)
      expect(await asked('other.example', address, path), path).toMatchObject({ status: 403 });
  });
});
