import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, expect, test } from 'vitest';
import type { ActivationRecord } from '../../lib/host/activations/activation-record.ts';
import type { ActivationEvent } from '../../lib/host/start-host.ts';
import { apiToken, basic, platform } from './support/account.ts';
import { type HandClock, handClock } from './support/hand-clock.ts';
import { type Reply, type TestHost, tempDir, testHost } from './support/test-host.ts';

const echo = 'exports.main = (event) => ({ event })';
const nightly = { name: 'nightly', function: 'p/f', type: 'SCHEDULED', is_enabled: true, scheduled_details: { cron: '30 2 * * *' } };

interface Ground {
  readonly host: TestHost;
  readonly clock: HandClock;
  readonly triggers: (method: string, name?: string, body?: unknown) => Promise<Reply>;
  readonly told: ActivationEvent[];
  readonly said: string[];
}

async function ground(dataDir = tempDir(), now = '2026-03-01T02:00:00Z'): Promise<Ground> {
  const clock = handClock(now);
  const told: ActivationEvent[] = [];
  const said: string[] = [];
  const host = await testHost({
    dataDir,
    clock,
    apiToken,
    onActivation: (event) => told.push(event),
    onProgress: (line) => said.push(line),
  });
  const path = `/namespaces/${host.namespace}/triggers`;
  const triggers: Ground['triggers'] = (method, name, body) => platform(host, method, name === undefined ? path : `${path}/${name}`, body);
  return { host, clock, triggers, told, said };
}

async function runs(host: TestHost): Promise<readonly ActivationRecord[]> {
  return (await host.api('GET', 'activations?docs=true')).body;
}

describe('a trigger', () => {
  test('is made, shown, listed, changed and deleted', async () => {
    const { host, triggers, clock } = await ground();
    await host.deploy('p/f', echo);
    const { status, body } = await triggers('POST', undefined, { ...nightly, scheduled_details: { cron: '30 2 * * *', body: { n: 1 } } });
    const made = {
      ...nightly,
      namespace: host.namespace,
      created_at: '2026-03-01T02:00:00Z',
      updated_at: '2026-03-01T02:00:00Z',
      scheduled_details: { cron: '30 2 * * *', body: { n: 1 } },
      scheduled_runs: { last_run_at: null, next_run_at: '2026-03-01T02:30:00Z' },
    };
    expect([status, body]).toEqual([200, { trigger: made }]);
    expect((await triggers('GET', 'nightly')).body).toEqual({ trigger: made });
    expect((await triggers('GET')).body).toEqual({ triggers: [made] });
    clock.jump('2026-03-01T02:10:00Z');
    const off = await triggers('PUT', 'nightly', { is_enabled: false });
    expect(off.body.trigger).toEqual({
      ...made,
      is_enabled: false,
      updated_at: '2026-03-01T02:10:00Z',
      scheduled_runs: { last_run_at: null, next_run_at: null },
    });
    const moved = await triggers('PUT', 'nightly', { is_enabled: true, scheduled_details: { cron: '0 5 * * 1' } });
    expect(moved.body.trigger).toMatchObject({
      scheduled_details: { cron: '0 5 * * 1', body: null },
      scheduled_runs: { next_run_at: '2026-03-02T05:00:00Z' },
    });
    expect((await triggers('DELETE', 'nightly')).status).toBe(204);
    const gone = await triggers('GET', 'nightly');
    expect([gone.status, gone.body]).toMatchObject([404, { id: 'not_found', message: 'trigger not found' }]);
  });

  test('runs its function at its time with its body as the event, and nothing of HTTP', async () => {
    const { host, triggers, clock, told } = await ground();
    await host.deploy('p/f', { code: echo, parameters: [{ key: 'bound', value: 'b' }] });
    await triggers('POST', undefined, { ...nightly, scheduled_details: { cron: '30 2 * * *', body: { n: 1 } } });
    clock.jump('2026-03-01T02:29:59Z');
    clock.jump('2026-03-01T02:30:00Z');
    await expect.poll(async () => (await runs(host)).length, { timeout: 10_000 }).toBe(1);
    expect((await runs(host))[0]?.response.result).toEqual({ event: { n: 1, bound: 'b' } });
    expect((await triggers('GET', 'nightly')).body.trigger.scheduled_runs).toEqual({
      last_run_at: '2026-03-01T02:30:00Z',
      next_run_at: '2026-03-02T02:30:00Z',
    });
    await expect.poll(() => told).toMatchObject([{ function: 'p/f', method: 'TRIGGER', path: 'nightly', status: 200 }]);
    clock.jump('2026-03-02T02:30:00Z');
    await expect.poll(async () => (await runs(host)).length, { timeout: 10_000 }).toBe(2);
  });

  test('goes by UTC, and by the names of days and months', async () => {
    const { host, triggers } = await ground();
    await host.deploy('p/f', echo);
    const next = async (cron: string) => {
      const { body } = await triggers('POST', undefined, { ...nightly, name: cron.replaceAll(/\W/g, '_'), scheduled_details: { cron } });
      return body.trigger.scheduled_runs.next_run_at;
    };
    expect(await next('*/15 * * * *')).toBe('2026-03-01T02:15:00Z');
    expect(await next('0 0 13 * 5')).toBe('2026-03-06T00:00:00Z');
    expect(await next('0 12 * JUN MON-WED')).toBe('2026-06-01T12:00:00Z');
    expect(await next('0 0 30 2 *')).toBeNull();
  });

  test('does not wait for the run before it', async () => {
    const { host, triggers, clock } = await ground();
    await host.deploy('p/f', { code: 'exports.main = () => new Promise((end) => setTimeout(end, 400, {}))' });
    await triggers('POST', undefined, { ...nightly, scheduled_details: { cron: '* * * * *' } });
    for (const minute of ['01', '02', '03']) clock.jump(`2026-03-01T02:${minute}:00Z`);
    await expect.poll(async () => (await runs(host)).length, { timeout: 10_000 }).toBe(3);
    const [first, , last] = (await runs(host)).toSorted((one, other) => one.start - other.start);
    expect(last?.start).toBeLessThan(first?.end ?? 0);
  });

  test('makes up for nothing: neither for a minute the machine slept through nor for the time the host was down', async () => {
    const dataDir = tempDir();
    const { host, triggers, clock } = await ground(dataDir);
    await host.deploy('p/f', echo);
    await triggers('POST', undefined, { ...nightly, scheduled_details: { cron: '*/5 * * * *' } });
    clock.jump('2026-03-01T03:02:00Z');
    expect((await triggers('GET', 'nightly')).body.trigger.scheduled_runs).toEqual({
      last_run_at: null,
      next_run_at: '2026-03-01T03:05:00Z',
    });
    clock.jump('2026-03-01T03:05:00Z');
    await expect.poll(async () => (await runs(host)).length, { timeout: 10_000 }).toBe(1);
    await host.close();

    const again = await ground(dataDir, '2026-03-01T09:01:00Z');
    expect((await again.triggers('GET', 'nightly')).body.trigger.scheduled_runs).toEqual({
      last_run_at: '2026-03-01T03:05:00Z',
      next_run_at: '2026-03-01T09:05:00Z',
    });
    again.clock.jump('2026-03-01T09:05:00Z');
    await expect.poll(async () => (await runs(again.host)).length, { timeout: 10_000 }).toBe(2);
  });

  test('runs on where its runs cannot be written down, and says so', async () => {
    const dataDir = tempDir();
    const before = await ground(dataDir);
    await before.host.deploy('p/f', echo);
    await before.triggers('POST', undefined, { ...nightly, scheduled_details: { cron: '* * * * *' } });
    await before.host.close();
    const store = new DatabaseSync(join(dataDir, 'host.sqlite'));
    store.exec(`CREATE TRIGGER full BEFORE INSERT ON trigger BEGIN SELECT RAISE(ABORT, 'database or disk is full'); END`);
    store.close();

    const { host, clock, triggers, said } = await ground(dataDir);
    for (const minute of ['01', '02']) clock.jump(`2026-03-01T02:${minute}:00Z`);
    await expect.poll(async () => (await runs(host)).length, { timeout: 10_000 }).toBe(2);
    expect(said.filter((line) => line.includes('disk is full'))).toHaveLength(2);
    const { scheduled_runs } = (await triggers('GET', 'nightly')).body.trigger;
    expect(scheduled_runs).toEqual({ last_run_at: '2026-03-01T02:02:00Z', next_run_at: '2026-03-01T02:03:00Z' });
  });

  test('outlives its function, does not run without it, and runs again with the next one of that name', async () => {
    const { host, triggers, clock, said } = await ground();
    await host.deploy('p/f', echo);
    await triggers('POST', undefined, { ...nightly, scheduled_details: { cron: '* * * * *' } });
    await host.api('DELETE', 'actions/p/f');
    clock.jump('2026-03-01T02:01:00Z');
    expect(said).toContain('trigger nightly did not run: its function p/f is not deployed');
    expect((await triggers('GET', 'nightly')).body.trigger.scheduled_runs).toEqual({
      last_run_at: null,
      next_run_at: '2026-03-01T02:02:00Z',
    });
    await host.deploy('p/f', echo);
    clock.jump('2026-03-01T02:02:00Z');
    await expect.poll(async () => (await runs(host)).length, { timeout: 10_000 }).toBe(1);
  });

  test.each([
    [
      {},
      'missing trigger name, missing function name, type: expected SCHEDULED, got nothing, is_enabled: expected true or false, got nothing, missing source details',
    ],
    [{ ...nightly, name: ' a' }, 'trigger name " a": expected letters, digits, _ @ . - and spaces inside, 256 at most'],
    [{ ...nightly, type: 'HTTP' }, 'type: expected SCHEDULED, got "HTTP"'],
    [{ ...nightly, scheduled_details: {} }, 'missing cron'],
    [
      { ...nightly, scheduled_details: { cron: '* * * *' } },
      'cron "* * * *" has 4 fields, expected five: minute hour day month weekday, as in "0 5 * * 1"',
    ],
    [{ ...nightly, scheduled_details: { cron: '0 0 L * *' } }, 'cron "0 0 L * *" has a field that is none: "L"'],
    [{ ...nightly, scheduled_details: { cron: '61 * * * *' } }, /cron "61 \* \* \* \*" is no schedule: /],
    [{ ...nightly, scheduled_details: { cron: '* * * * *', body: [1] } }, 'body: expected an object, got [1]'],
  ])('is refused: %o', async (body, message) => {
    const { host, triggers } = await ground();
    await host.deploy('p/f', echo);
    const refused = await triggers('POST', undefined, body);
    expect([refused.status, refused.body.id]).toEqual([400, 'bad_request']);
    expect(refused.body.message.replace('validating create trigger: validation error: ', '')).toMatch(message);
    expect((await triggers('GET')).body).toEqual({ triggers: [] });
  });

  test('is refused for a function that is not there, a second time, beyond the limit, and changed to what cannot be', async () => {
    const { host, triggers } = await ground();
    expect((await triggers('POST', undefined, nightly)).body).toMatchObject({ id: 'not_found', message: 'function p/f not found' });
    await host.deploy('p/f', echo);
    await triggers('POST', undefined, nightly);
    expect((await triggers('POST', undefined, nightly)).status).toBe(409);
    expect((await triggers('PUT', 'nightly', { scheduled_details: { cron: 'never' } })).status).toBe(400);
    expect((await triggers('PUT', 'other', {})).status).toBe(404);
    for (let i = 1; i < 100; i += 1) await triggers('POST', undefined, { ...nightly, name: `t${i}` });
    const refused = await triggers('POST', undefined, { ...nightly, name: 't100' });
    expect([refused.status, refused.body]).toMatchObject([422, { id: 'unprocessable_entity', message: 'triggers limit reached' }]);
  });

  test("is managed with the namespace's own credentials too", async () => {
    const { host } = await ground();
    await host.deploy('f', echo);
    const path = `/namespaces/${host.namespace}/triggers`;
    const made = await platform(host, 'POST', path, { ...nightly, function: 'default/f' }, basic(host.auth));
    expect(made.body.trigger.function).toBe('f');
    expect((await platform(host, 'DELETE', `${path}/nightly`, undefined, basic(host.auth))).status).toBe(204);
  });
});

describe('firing a trigger by hand', () => {
  const fire = (host: TestHost, name: string, method = 'POST', auth = host.auth) =>
    fetch(`${host.url}/_local/triggers/${encodeURIComponent(name)}/fire`, { method, headers: { authorization: basic(auth) } });

  test('runs it now, though it is disabled', async () => {
    const { host, triggers } = await ground();
    await host.deploy('p/f', echo);
    await triggers('POST', undefined, {
      ...nightly,
      name: 'by hand',
      is_enabled: false,
      scheduled_details: { cron: '0 0 1 1 *', body: { n: 2 } },
    });
    const answer = await fire(host, 'by hand');
    expect(answer.status).toBe(202);
    const { activationId } = (await answer.json()) as { readonly activationId: string };
    // Fired is not run yet: the record comes once a process has started.
    await expect.poll(async () => (await host.api('GET', `activations/${activationId}`)).status, { timeout: 10_000 }).toBe(200);
    expect((await host.activation(activationId)).response.result).toEqual({ event: { n: 2 } });
    expect((await triggers('GET', 'by%20hand')).body.trigger.scheduled_runs.last_run_at).toBe('2026-03-01T02:00:00Z');
  });

  test('is refused where there is nothing to run, or by whom it may not be', async () => {
    const { host, triggers } = await ground();
    await host.deploy('p/f', { code: echo, parameters: [{ key: 'n', value: 1 }], annotations: { final: true } });
    await triggers('POST', undefined, { ...nightly, scheduled_details: { cron: '0 0 1 1 *', body: { n: 2 } } });
    expect((await fire(host, 'unknown')).status).toBe(404);
    expect((await fire(host, 'nightly', 'GET')).status).toBe(405);
    expect((await fire(host, 'nightly', 'POST', 'a:b')).status).toBe(401);
    const refused = await fire(host, 'nightly');
    expect([refused.status, await refused.json()]).toMatchObject([400, { error: 'its body defines a parameter that is not allowed: n' }]);
  });
});
