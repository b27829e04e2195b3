import { createHash } from 'node:crypto';
import { copyFileSync, existsSync } from 'node:fs';
import { Agent, request } from 'node:http';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { buildAll } from '../../build/bundle.ts';
import { deployProject } from '../../lib/deployer/deploy-project.ts';
import { readProject } from '../../lib/deployer/read-project.ts';
import { fileStore, redisProgram, redisStore, type TestStore } from '../access/support/stores.ts';
import { activeDroplet, emptyPlatform, type Platform } from '../emulator/platform.ts';
import { type TestHost, testHost } from '../host/support/test-host.ts';
import { signed } from '../webhooks/support/sender.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
const deliveries = 1000;
const atOnce = 6;
const secret = 'canary-github-secret';
const body = JSON.stringify({ repository: { name: 'shop' }, workflow_run: { conclusion: 'failure', head_sha: '7d1b31e' } });

beforeAll(async () => {
  await buildAll(root);
  if (!existsSync(join(root, 'settings.env'))) copyFileSync(join(root, 'settings.env.example'), join(root, 'settings.env'));
});

const stores: readonly (readonly [string, () => Promise<TestStore>])[] = [
  ['a file', async () => fileStore()],
  ...(redisProgram === undefined ? [] : ([['a Redis server', () => redisStore(redisProgram ?? '')]] as const)),
];

/** The deployed function of the webhooks, on a host that tells how many processes it has started for it. */
async function hooksHost(platform: Platform, store: TestStore): Promise<{ readonly host: TestHost; readonly processes: () => number }> {
  let cold = 0;
  const host = await testHost({
    mounts: { '/hooks': 'gateway/hooks' },
    onActivation: (activation) => {
      cold += activation.cold ? 1 : 0;
    },
  });
  const environment = {
    PLATFORM_API_URL: platform.url,
    PLATFORM_API_TOKEN: platform.token,
    ACCESS_TOKENS: `ci=sha256:${createHash('sha256').update('dh_ci').digest('hex')}`,
    GITHUB_WEBHOOK_SECRET: secret,
    KV_URL: store.url,
  };
  const project = readProject(root);
  const packages = project.packages
    .filter(({ name }) => name === 'gateway')
    .map((pack) => ({
      ...pack,
      functions: pack.functions.filter(({ name }) => name === 'hooks').map((hooks) => ({ ...hooks, environment })),
    }));
  const { failed } = await deployProject({ ...project, packages }, { apihost: host.url, auth: host.auth }, { build: 'never' });
  expect(failed).toEqual([]);
  return { host, processes: () => cold };
}

/** Sends the same delivery again and again, several at a time, and counts what is answered. */
async function flood(url: string): Promise<Readonly<Record<string, number>>> {
  const agent = new Agent({ keepAlive: true, maxSockets: atOnce });
  const headers = signed.github(body, secret, 'the-one', 'workflow_run');
  const counts: Record<string, number> = {};
  let left = deliveries;
  const sender = async () => {
    while (left > 0) {
      left -= 1;
      const answer = await posted(url, headers, agent);
      counts[answer] = (counts[answer] ?? 0) + 1;
    }
  };
  await Promise.all(Array.from({ length: atOnce }, sender));
  agent.destroy();
  return counts;
}

/** The status of an answer, and of the delivery. */
function posted(url: string, headers: Readonly<Record<string, string>>, agent: Agent): Promise<string> {
  return new Promise((resolve, reject) => {
    const sent = request(url, { method: 'POST', headers, agent }, (response) => {
      let text = '';
      response.setEncoding('utf8').on('data', (chunk: string) => {
        text += chunk;
      });
      response.on('error', reject).on('end', () => resolve(`${response.statusCode} ${/"status":"(\w+)"/.exec(text)?.[1] ?? text}`));
    });
    sent.on('error', reject).end(body);
  });
}

describe.each(stores)('a thousand deliveries of one id, through several processes that share %s', (_, open) => {
  it('have one effect', async () => {
    const store = await open();
    onTestFinished(() => store.end());
    const platform = await emptyPlatform({ speed: 0 });
    onTestFinished(() => platform[Symbol.asyncDispose]());
    const { id } = await activeDroplet(platform, { name: 'shop-1', tags: ['shop'] });
    const { host, processes } = await hooksHost(platform, store);
    expect(await flood(`${host.url}/hooks/github-deploy`)).toEqual({ '200 done': 1, '200 duplicate': deliveries - 1 });
    expect(processes()).toBeGreaterThan(1);
    expect((await platform.get(`/v2/droplets/${id}/snapshots`)).body.snapshots).toMatchObject([{ name: '7d1b31e' }]);
  }, 60_000);
});
