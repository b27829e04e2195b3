import { createHash } from 'node:crypto';
import { copyFileSync, existsSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { buildAll } from '../../build/bundle.ts';
import { deployProject } from '../../lib/deployer/deploy-project.ts';
import type { Project, Trigger } from '../../lib/deployer/project.ts';
import { readProject } from '../../lib/deployer/read-project.ts';
import type { ActivationRecord } from '../../lib/host/activations/activation-record.ts';
import { act, activeDroplet, emptyPlatform, type Json, type Platform } from '../emulator/platform.ts';
import { apiToken } from '../host/support/account.ts';
import { type HandClock, handClock } from '../host/support/hand-clock.ts';
import { type TestHost, testHost } from '../host/support/test-host.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
const example = join(root, 'examples/nightly-snapshots');

beforeAll(async () => {
  await buildAll(root);
  if (!existsSync(join(root, 'settings.env'))) copyFileSync(join(root, 'settings.env.example'), join(root, 'settings.env'));
});

interface Ground {
  readonly platform: Platform;
  readonly host: TestHost;
  readonly clock: HandClock;
}

/** The router of this project on a host whose schedules go by a clock of the test, with the account of an emulator. */
async function ground(triggers: readonly Trigger[] = []): Promise<Ground> {
  const platform = await emptyPlatform({ speed: 0 });
  onTestFinished(() => platform[Symbol.asyncDispose]());
  await platform.post('/_emulator/clock', { freeze: true, now: '2026-03-01T02:30:00Z' });
  const clock = handClock('2026-03-01T02:00:00Z');
  const host = await testHost({ clock, apiToken, mounts: { '/': 'gateway/router' } });
  const environment = {
    PLATFORM_API_URL: platform.url,
    PLATFORM_API_TOKEN: platform.token,
    ACCESS_TOKENS: `nightly=sha256:${createHash('sha256').update('dh_nightly').digest('hex')}`,
  };
  const project = readProject(root);
  const packages = project.packages
    .filter(({ name }) => name === 'gateway')
    .map((pack) => ({
      ...pack,
      functions: pack.functions.filter(({ name }) => name === 'router').map((router) => ({ ...router, environment, triggers })),
    }));
  await deployed({ ...project, packages }, host);
  return { platform, host, clock };
}

async function deployed(project: Project, host: TestHost): Promise<void> {
  const outcome = await deployProject(project, { apihost: host.url, auth: host.auth }, { build: 'never' });
  expect(outcome.failed).toEqual([]);
}

/** Has schedules run that are due at a moment, and answers what came of the latest run of a function. */
async function runAt({ host, clock }: Ground, at: string, name: string, count: number): Promise<ActivationRecord['response']> {
  clock.jump(at);
  const runs = async (): Promise<readonly ActivationRecord[]> => (await host.api('GET', `activations?name=${name}&docs=true`)).body;
  await expect.poll(async () => (await runs()).length, { timeout: 20_000 }).toBe(count);
  const [latest] = (await runs()).toSorted((one, other) => other.start - one.start);
  if (latest === undefined) throw new Error(`no run of ${name}`);
  return latest.response;
}

const night = (day: number): string => `2026-03-${String(day).padStart(2, '0')}T02:30:00Z`;
const snapshotsOf = async (platform: Platform, id: number): Promise<Json[]> =>
  (await platform.get(`/v2/droplets/${id}/snapshots?per_page=200`)).body.snapshots;
const daysOf = async (platform: Platform, id: number): Promise<readonly number[]> =>
  (await snapshotsOf(platform, id))
    .filter(({ name }) => name.startsWith('nightly-nightly-'))
    .map(({ created_at: at }) => new Date(at).getUTCDate())
    .toSorted((one, other) => one - other);

async function fault(platform: Platform, description: object): Promise<void> {
  expect((await platform.post('/_emulator/faults', description)).status).toBe(201);
}

describe('the example of nightly snapshots', () => {
  test('keeps the newest seven of each tagged instance, and tells of what it could not delete, which the next night does', async () => {
    const here = await ground();
    const { platform, host } = here;
    await deployed(readProject(example, { env: { ROUTER_URL: `${host.url}/`, ROUTER_TOKEN: 'dh_nightly' } }), host);
    const { id: shop } = await activeDroplet(platform, { name: 'shop', tags: ['nightly'] });
    const { id: blog } = await activeDroplet(platform, { name: 'blog', tags: ['web', 'nightly'] });
    const { id: other } = await activeDroplet(platform, { name: 'other', tags: ['nightly-not'] });
    await act(platform, shop, { type: 'snapshot', name: 'before-upgrade' });
    await act(platform, other, { type: 'snapshot', name: 'nightly-nightly-2026-01-01' });

    const nightly = async (day: number) => {
      await platform.post('/_emulator/clock', { now: night(day) });
      return runAt(here, night(day), 'nightly-snapshots', day);
    };
    for (let day = 1; day <= 8; day += 1) {
      const { success, result } = await nightly(day);
      expect([success, result], JSON.stringify(result)).toMatchObject([true, { begun: [blog, shop] }]);
    }
    await fault(platform, { method: 'DELETE', path: '/v2/images/', status: 500 });
    const ninth = await nightly(9);
    expect(ninth).toMatchObject({
      success: false,
      result: {
        begun: [blog, shop],
        deleted: [expect.any(String)],
        error: expect.stringMatching(/^not deleted: nightly-nightly-.*image-delete: /),
      },
    });
    expect([await daysOf(platform, shop), await daysOf(platform, blog)].toSorted((one, two) => one.length - two.length)).toEqual([
      [3, 4, 5, 6, 7, 8, 9],
      [2, 3, 4, 5, 6, 7, 8, 9],
    ]);
    expect(await nightly(10)).toMatchObject({ success: true, result: { deleted: Array(3).fill(expect.any(String)) } });
    for (const instance of [shop, blog]) {
      expect(await daysOf(platform, instance)).toEqual([4, 5, 6, 7, 8, 9, 10]);
    }
    expect((await snapshotsOf(platform, shop)).map(({ name }) => name)).toContain('before-upgrade');
    expect(await snapshotsOf(platform, other)).toHaveLength(1);
  }, 60_000);

  test('deletes nothing where no snapshot could be begun, and says why', async () => {
    const here = await ground();
    const { platform, host } = here;
    await deployed(readProject(example, { env: { ROUTER_URL: host.url, ROUTER_TOKEN: 'dh_nightly' } }), host);
    const { id } = await activeDroplet(platform, { name: 'shop', tags: ['nightly'] });
    for (const name of ['1', '2', '3', '4', '5', '6', '7', '8']) {
      await act(platform, id, { type: 'snapshot', name: `nightly-nightly-${name}` });
    }
    await fault(platform, { method: 'POST', path: '/v2/droplets/actions', status: 503, times: null });
    expect(await runAt(here, night(1), 'nightly-snapshots', 1)).toMatchObject({
      success: false,
      result: { error: { message: expect.stringMatching(/^snapshot-instances-tag: the platform answered 503/) } },
    });
    expect(await snapshotsOf(platform, id)).toHaveLength(8);
  }, 60_000);
});

test('a trigger of the router makes the call that is its body', async () => {
  const body = { tool: 'snapshot-instances-tag', arguments: { Tag: 'web', Name: 'nightly' } };
  const here = await ground([{ name: 'nightly', enabled: true, cron: '30 2 * * *', body }]);
  const { id } = await activeDroplet(here.platform, { name: 'shop', tags: ['web'] });
  expect(await runAt(here, night(1), 'router', 1)).toMatchObject({
    success: true,
    result: { tool: 'snapshot-instances-tag', isError: false, result: { items: [{ resource_id: id, type: 'snapshot' }] } },
  });
  expect(await snapshotsOf(here.platform, id)).toMatchObject([{ name: 'nightly' }]);
});
