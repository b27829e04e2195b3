import { describe, expect, test } from 'vitest';
import { frozenPlatform, type Json, type Platform } from './platform.ts';

const checkBody = (changes: Record<string, unknown> = {}): Record<string, unknown> => ({
  name: 'Landing page',
  type: 'https',
  target: 'https://www.example.com/health?full=1',
  regions: ['us_east', 'eu_west'],
  enabled: true,
  ...changes,
});

const alertBody = (changes: Record<string, unknown> = {}): Record<string, unknown> => ({
  name: 'Landing page is slow',
  type: 'latency',
  threshold: 300,
  comparison: 'greater_than',
  notifications: { email: ['ops@example.com'], slack: [{ channel: '#ops', url: 'https://hooks.slack.com/services/T1/A1/x' }] },
  period: '2m',
  ...changes,
});

async function madeCheck(platform: Platform, changes: Record<string, unknown> = {}): Promise<string> {
  return (await platform.post('/v2/uptime/checks', checkBody(changes))).body.check.id;
}

const checking = (at: string): Json => ({ status: 'CHECKING', status_changed_at: at, thirty_day_uptime_percentage: 100 });

describe('an uptime check', () => {
  test('is made, read, changed in part and deleted', async () => {
    await using platform = await frozenPlatform();
    const { status, body } = await platform.post('/v2/uptime/checks', checkBody());
    expect([status, body]).toEqual([201, { check: { id: expect.stringMatching(/^[0-9a-f-]{36}$/), ...checkBody() } }]);
    const path = `/v2/uptime/checks/${body.check.id}`;
    expect((await platform.get(path)).body).toEqual(body);
    expect((await platform.get('/v2/uptime/checks')).body.checks[0]).toEqual(body.check);
    const renamed = await platform.put(path, { name: 'Renamed' });
    expect([renamed.status, renamed.body.check]).toEqual([200, { ...body.check, name: 'Renamed' }]);
    expect((await platform.put(path, { ...renamed.body.check, regions: ['se_asia'] })).body.check.regions).toEqual(['se_asia']);
    expect((await platform.del(path)).status).toBe(204);
    for (const [method, rest] of [
      ['GET', ''],
      ['PUT', ''],
      ['DELETE', ''],
      ['GET', '/state'],
      ['GET', '/alerts'],
      ['POST', '/alerts'],
    ] as const) {
      expect((await platform.call(method, path + rest, method === 'GET' ? undefined : {})).status, method + rest).toBe(404);
    }
  });

  test.each([
    ['ping', 'example.com'],
    ['ping', 'web-01'],
    ['ping', '198.18.0.16'],
    ['ping', '2001:db8::1'],
    ['http', 'http://203.0.113.7:8080/'],
    ['https', 'HTTPS://EXAMPLE.COM'],
  ])('of type %s takes %s', async (type, target) => {
    await using platform = await frozenPlatform();
    expect((await platform.post('/v2/uptime/checks', checkBody({ type, target }))).body.check).toMatchObject({ type, target });
  });

  test.each([
    ['an unknown type', { type: 'tcp' }],
    ['no type', { type: undefined }],
    ['an http target of an https check', { target: 'http://example.com' }],
    ['an https target of an http check', { type: 'http' }],
    ['a target that is no URL', { target: 'example.com' }],
    ['a target without its slashes', { target: 'https:example.com' }],
    ['a target with a blank before it', { target: ' https://example.com' }],
    ['a target of two lines', { target: 'https://example.com/\n' }],
    ['a URL for a ping', { type: 'ping' }],
    ['a bad address for a ping', { type: 'ping', target: '300.1.1.1' }],
    ['a port for a ping', { type: 'ping', target: 'example.com:80' }],
    ['no target', { target: '' }],
    ['no name', { name: undefined }],
    ['no regions', { regions: undefined }],
    ['an empty list of regions', { regions: [] }],
    ['an unknown region', { regions: ['us_east', 'mars'] }],
    ['a region twice', { regions: ['us_east', 'us_east'] }],
    ['regions that are no list', { regions: 'us_east' }],
    ['no word on being enabled', { enabled: undefined }],
    ['enabled in words', { enabled: 'true' }],
    ['an unknown field', { interval: 60 }],
  ])('is refused with %s, new and changed', async (_what, changes) => {
    await using platform = await frozenPlatform();
    const { total } = (await platform.get('/v2/uptime/checks')).body.meta;
    const refused = await platform.post('/v2/uptime/checks', checkBody(changes));
    expect([refused.status, refused.body.id]).toEqual([422, 'unprocessable_entity']);
    expect((await platform.get('/v2/uptime/checks')).body.meta.total).toBe(total);

    const id = await madeCheck(platform);
    const [[field, value] = ['', undefined]] = Object.entries(changes);
    const changed = await platform.put(`/v2/uptime/checks/${id}`, value === undefined ? { [field]: null } : changes);
    expect(changed.status).toBe(422);
    expect((await platform.get(`/v2/uptime/checks/${id}`)).body.check).toEqual({ id, ...checkBody() });
  });
});

describe('the state of a check', () => {
  const stateOf = async (platform: Platform, id: string): Promise<Json> => (await platform.get(`/v2/uptime/checks/${id}/state`)).body.state;
  const later = (platform: Platform): Promise<unknown> => platform.post('/_emulator/clock', { advance: '1h' });

  test('rests at CHECKING in each of its regions, without an outage', async () => {
    await using platform = await frozenPlatform();
    const id = await madeCheck(platform);
    await later(platform);
    const at = '2026-02-10T12:00:00Z';
    expect(await stateOf(platform, id)).toEqual({ regions: { us_east: checking(at), eu_west: checking(at) } });
  });

  test('follows the regions that come and go', async () => {
    await using platform = await frozenPlatform();
    const id = await madeCheck(platform);
    await later(platform);
    await platform.put(`/v2/uptime/checks/${id}`, { regions: ['eu_west', 'se_asia'] });
    expect(await stateOf(platform, id)).toEqual({
      regions: { eu_west: checking('2026-02-10T12:00:00Z'), se_asia: checking('2026-02-10T13:00:00Z') },
    });
  });

  test('begins anew with another target, not with another name', async () => {
    await using platform = await frozenPlatform();
    const id = await madeCheck(platform);
    await later(platform);
    await platform.put(`/v2/uptime/checks/${id}`, { name: 'Other' });
    expect((await stateOf(platform, id)).regions.us_east).toEqual(checking('2026-02-10T12:00:00Z'));
    await platform.put(`/v2/uptime/checks/${id}`, { target: 'https://example.org' });
    expect((await stateOf(platform, id)).regions.us_east).toEqual(checking('2026-02-10T13:00:00Z'));
  });

  test('stays as it is while the check is disabled, and looks anew once it is enabled', async () => {
    await using platform = await frozenPlatform();
    const paused = (await platform.get('/v2/uptime/checks')).body.checks.find((check: Json) => !check.enabled);
    const before = await stateOf(platform, paused.id);
    expect(before).toMatchObject({ regions: { us_east: { status: 'UP' } }, previous_outage: { region: 'us_east' } });
    await later(platform);
    await platform.put(`/v2/uptime/checks/${paused.id}`, { name: 'Still paused' });
    expect(await stateOf(platform, paused.id)).toEqual(before);
    await platform.put(`/v2/uptime/checks/${paused.id}`, { enabled: true });
    const after = await stateOf(platform, paused.id);
    expect(after.regions.us_east).toEqual(checking('2026-02-10T13:00:00Z'));
    expect(after.previous_outage).toEqual(before.previous_outage);
  });

  test('knows nothing of another target that it is given while it is disabled, nor once it is enabled', async () => {
    await using platform = await frozenPlatform();
    const paused = (await platform.get('/v2/uptime/checks')).body.checks.find((check: Json) => !check.enabled);
    await later(platform);
    await platform.put(`/v2/uptime/checks/${paused.id}`, { target: 'https://elsewhere.example.com' });
    const regions = Object.fromEntries(paused.regions.map((region: string) => [region, checking('2026-02-10T13:00:00Z')]));
    expect(await stateOf(platform, paused.id)).toEqual({ regions });
    await platform.put(`/v2/uptime/checks/${paused.id}`, { enabled: true });
    expect(await stateOf(platform, paused.id)).toEqual({ regions });
  });
});

describe('an alert of a check', () => {
  test('is made, read, replaced whole and deleted', async () => {
    await using platform = await frozenPlatform();
    const path = `/v2/uptime/checks/${await madeCheck(platform)}/alerts`;
    const { status, body } = await platform.post(path, alertBody());
    expect([status, body]).toEqual([201, { alert: { id: expect.stringMatching(/^[0-9a-f-]{36}$/), ...alertBody() } }]);
    const { id } = body.alert;
    expect((await platform.get(`${path}/${id}`)).body).toEqual(body);
    const down = { name: 'Down', type: 'down', notifications: { email: [], slack: [] }, period: '5m' };
    const replaced = await platform.put(`${path}/${id}`, down);
    expect([replaced.status, replaced.body.alert]).toEqual([200, { id, ...down }]);
    expect((await platform.get(path)).body).toEqual({ alerts: [{ id, ...down }], links: {}, meta: { total: 1 } });
    expect((await platform.del(`${path}/${id}`)).status).toBe(204);
    expect((await platform.get(`${path}/${id}`)).status).toBe(404);
    expect((await platform.get(path)).body.meta.total).toBe(0);
  });

  test('belongs to its check alone, and goes with it', async () => {
    await using platform = await frozenPlatform();
    const [one, other] = [await madeCheck(platform), await madeCheck(platform)];
    const { id } = (await platform.post(`/v2/uptime/checks/${one}/alerts`, alertBody())).body.alert;
    await platform.post(`/v2/uptime/checks/${other}/alerts`, alertBody());
    for (const [method, body] of [['GET'], ['PUT', alertBody()], ['DELETE']] as const) {
      expect((await platform.call(method, `/v2/uptime/checks/${other}/alerts/${id}`, body)).status, method).toBe(404);
    }
    await platform.del(`/v2/uptime/checks/${one}`);
    expect((await platform.get(`/v2/uptime/checks/${one}/alerts/${id}`)).status).toBe(404);
    expect((await platform.get(`/v2/uptime/checks/${other}/alerts`)).body.meta.total).toBe(1);
  });

  test.each([
    ['days for a certificate', { type: 'ssl_expiry', comparison: 'less_than', threshold: 14 }],
    ['no threshold for down', { type: 'down', threshold: undefined, comparison: undefined }],
    ['a threshold for down all the same', { type: 'down_global', threshold: 1, comparison: 'less_than' }],
    ['nobody to tell', { notifications: { email: [], slack: [] } }],
  ])('is taken with %s', async (_what, changes) => {
    await using platform = await frozenPlatform();
    const made = await platform.post(`/v2/uptime/checks/${await madeCheck(platform)}/alerts`, alertBody(changes));
    const { id, ...alert } = made.body.alert;
    expect(alert).toEqual(JSON.parse(JSON.stringify(alertBody(changes))));
  });

  test.each([
    ['no name', { name: undefined }],
    ['no type', { type: undefined }],
    ['an unknown type', { type: 'slow' }],
    ['no period', { period: undefined }],
    ['an unknown period', { period: '4m' }],
    ['no threshold where one is needed', { threshold: undefined }],
    ['a fraction for a threshold', { threshold: 1.5 }],
    ['a threshold of 0', { threshold: 0 }],
    ['a threshold in words', { threshold: '300' }],
    ['a bad threshold where none is needed', { type: 'down', threshold: -1 }],
    ['no comparison where one is needed', { comparison: undefined }],
    ['latency below', { comparison: 'less_than' }],
    ['a certificate above', { type: 'ssl_expiry' }],
    ['an unknown comparison', { type: 'down', comparison: 'equal' }],
    ['no notifications', { notifications: undefined }],
    ['no emails among them', { notifications: { slack: [] } }],
    ['no slack among them', { notifications: { email: [] } }],
    ['an email that is none', { notifications: { email: ['ops'], slack: [] } }],
    ['an email that is no text', { notifications: { email: [5], slack: [] } }],
    ['a slack entry without a channel', { notifications: { email: [], slack: [{ url: 'https://hooks.slack.com/x' }] } }],
    ['a slack URL that is none', { notifications: { email: [], slack: [{ channel: '#a', url: 'hooks' }] } }],
    ['a slack entry that is null', { notifications: { email: [], slack: [null] } }],
    ['pagers', { notifications: { email: [], slack: [], pager: [] } }],
    ['an unknown field', { colour: 'red' }],
  ])('is refused with %s, new and replaced', async (_what, changes) => {
    await using platform = await frozenPlatform();
    const path = `/v2/uptime/checks/${await madeCheck(platform)}/alerts`;
    const { alert } = (await platform.post(path, alertBody())).body;
    const refused = await platform.post(path, alertBody(changes));
    expect([refused.status, refused.body.id]).toEqual([422, 'unprocessable_entity']);
    expect((await platform.put(`${path}/${alert.id}`, alertBody(changes))).status).toBe(422);
    expect((await platform.get(path)).body.alerts).toEqual([alert]);
  });
});
