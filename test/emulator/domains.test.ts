import { describe, expect, test } from 'vitest';
import { emptyPlatform, frozenPlatform, type Json, type Platform } from './platform.ts';

const ZONE = 'harbour.example';

async function platformWithZone(body: Record<string, unknown> = {}): Promise<Platform> {
  const platform = await emptyPlatform();
  const made = await platform.post('/v2/domains', { name: ZONE, ...body });
  expect(made.status, made.body.message).toBe(201);
  return platform;
}

async function recordsOf(platform: Platform, query = ''): Promise<Json> {
  return (await platform.get(`/v2/domains/${ZONE}/records${query}`)).body.domain_records;
}

async function zoneOf(platform: Platform): Promise<readonly string[]> {
  return (await platform.get(`/v2/domains/${ZONE}`)).body.domain.zone_file.split('\n');
}

const SOA_AND_NS = [
  ['SOA', '@', '1800'],
  ['NS', '@', 'ns1.digitalocean.com'],
  ['NS', '@', 'ns2.digitalocean.com'],
  ['NS', '@', 'ns3.digitalocean.com'],
];

describe('a domain', () => {
  test.each([
    ['no address', {}, []],
    ['an empty address', { ip_address: '' }, []],
    ['an IPv4 address', { ip_address: '192.0.2.1' }, [['A', '@', '192.0.2.1']]],
    ['an IPv6 address', { ip_address: '2001:DB8:0:0::1' }, [['AAAA', '@', '2001:db8::1']]],
  ])('begins, with %s, with these records', async (_what, body, added) => {
    await using platform = await platformWithZone(body);
    const records = await recordsOf(platform);
    expect(records.map((record: Json) => [record.type, record.name, record.data])).toEqual([...SOA_AND_NS, ...added]);
    expect(records[0]).toMatchObject({ ttl: 1800, priority: null, port: null, weight: null, flags: null, tag: null });
    expect(records[0].id).toBeGreaterThan(100_000_000);
  });

  test('is answered without its zone file when it is made, and with it after', async () => {
    await using platform = await frozenPlatform();
    const made = await platform.post('/v2/domains', { name: 'Zone.Example', ip_address: '192.0.2.9' });
    expect(made.body).toEqual({ domain: { name: 'zone.example', ttl: 1800, zone_file: null } });
    const { domain } = (await platform.get('/v2/domains/ZONE.example')).body;
    const serial = Date.parse('2026-02-10T12:00:00Z') / 1000;
    expect(domain.zone_file.split('\n').map((line: string) => line.replace(/ \d{10} /, ' SERIAL '))).toEqual([
      '$ORIGIN zone.example.',
      '$TTL 1800',
      'zone.example. IN SOA ns1.digitalocean.com. hostmaster.zone.example. SERIAL 10800 3600 604800 1800',
      'zone.example. 1800 IN NS ns1.digitalocean.com.',
      'zone.example. 1800 IN NS ns2.digitalocean.com.',
      'zone.example. 1800 IN NS ns3.digitalocean.com.',
      'zone.example. 1800 IN A 192.0.2.9',
      '',
    ]);
    expect(Number(/ (\d{10}) /.exec(domain.zone_file)?.[1])).toBeGreaterThanOrEqual(serial);
    const { domains } = (await platform.get('/v2/domains')).body;
    expect(domains.find((each: Json) => each.name === 'zone.example')).toEqual(domain);
  });

  test('moves its serial with every change', async () => {
    await using platform = await platformWithZone();
    const serial = async (): Promise<number> => Number(/ (\d{10}) /.exec((await zoneOf(platform)).join('\n'))?.[1]);
    const seen = [await serial()];
    const { domain_record } = (await platform.post(`/v2/domains/${ZONE}/records`, { type: 'A', name: 'a', data: '192.0.2.1' })).body;
    seen.push(await serial());
    await platform.put(`/v2/domains/${ZONE}/records/${domain_record.id}`, { type: 'A', data: '192.0.2.2' });
    seen.push(await serial());
    await platform.del(`/v2/domains/${ZONE}/records/${domain_record.id}`);
    seen.push(await serial());
    expect(new Set(seen).size).toBe(4);
    expect(seen).toEqual(seen.toSorted());
  });

  test('is gone with its records, and comes back with new ids', async () => {
    await using platform = await platformWithZone();
    const before = await recordsOf(platform);
    expect((await platform.del(`/v2/domains/${ZONE}`)).status).toBe(204);
    expect((await platform.get(`/v2/domains/${ZONE}`)).status).toBe(404);
    expect((await platform.get(`/v2/domains/${ZONE}/records`)).status).toBe(404);
    await platform.post('/v2/domains', { name: ZONE });
    const after = await recordsOf(platform);
    expect(after[0].id).toBeGreaterThan(before.at(-1).id);
    expect((await platform.get(`/v2/domains/${ZONE}/records/${before[0].id}`)).status).toBe(404);
  });

  test.each([
    ['one that is there', { name: ZONE.toUpperCase() }, 'Name already exists'],
    ['no name', {}, 'name is required.'],
    ['a single label', { name: 'localhost' }, undefined],
    ['a label that ends with a dash', { name: 'bad-.example' }, undefined],
    ['a numeric end', { name: '192.0.2.1' }, undefined],
    ['a label of 64 characters', { name: `${'x'.repeat(64)}.example` }, undefined],
    ['an address that is none', { name: 'new.example', ip_address: '300.1.1.1' }, 'IP address is not valid'],
    ['a name that is no text', { name: 5 }, undefined],
    ['a field that is not known', { name: 'new.example', colour: 'red' }, 'colour is not a known field.'],
  ])('is refused for %s, and nothing is stored', async (_what, body, message) => {
    await using platform = await platformWithZone();
    const before = (await platform.get('/v2/domains')).body;
    const { status, body: answer } = await platform.post('/v2/domains', body);
    expect([status, answer.id]).toEqual([422, 'unprocessable_entity']);
    expect(message ?? answer.message).toBe(answer.message);
    expect((await platform.get('/v2/domains')).body).toEqual(before);
  });
});

test('two domains whose names read as the same number have nothing in common', async () => {
  await using platform = await emptyPlatform();
  const records = async (name: string, query = ''): Promise<Json> =>
    (await platform.get(`/v2/domains/${name}/records${query}`)).body.domain_records.map(({ type, data }: Json) => [type, data]);
  const lines = async (name: string): Promise<string> => (await platform.get(`/v2/domains/${name}`)).body.domain.zone_file;
  const began = SOA_AND_NS.map(([type, _name, data]) => [type, data]);
  await platform.post('/v2/domains', { name: '1.e5', ip_address: '192.0.2.1' });
  await platform.post('/v2/domains', { name: '10.e4', ip_address: '192.0.2.10' });
  expect(await records('1.e5')).toEqual([...began, ['A', '192.0.2.1']]);
  expect(await records('10.e4')).toEqual([...began, ['A', '192.0.2.10']]);
  expect(await records('1.e5', '?name=1.e5')).toEqual([...began, ['A', '192.0.2.1']]);
  expect(await records('1.e5', '?type=A&name=1.e5')).toEqual([['A', '192.0.2.1']]);
  expect((await platform.post('/v2/domains/1.e5/records', { type: 'CNAME', name: '@', data: 'other.example.' })).status).toBe(422);
  expect(await lines('1.e5')).not.toContain('192.0.2.10');
  await platform.del('/v2/domains/1.e5');
  expect(await records('10.e4')).toEqual([...began, ['A', '192.0.2.10']]);
  expect(await lines('10.e4')).toContain('192.0.2.10');
});

describe('a record', () => {
  test.each([
    ['A', { name: 'www', data: '192.0.2.7' }, { data: '192.0.2.7' }, 'www.harbour.example. 1800 IN A 192.0.2.7'],
    ['AAAA', { name: '*', data: '2001:DB8::0:7' }, { data: '2001:db8::7' }, '*.harbour.example. 1800 IN AAAA 2001:db8::7'],
    [
      'CNAME',
      { name: 'blog', data: 'blogs.example.net.' },
      { data: 'blogs.example.net' },
      'blog.harbour.example. 1800 IN CNAME blogs.example.net.',
    ],
    ['CNAME', { name: 'shop', data: '@' }, { data: '@' }, 'shop.harbour.example. 1800 IN CNAME harbour.example.'],
    ['CNAME', { name: 'in', data: 'a.b.Harbour.example.' }, { data: 'a.b' }, 'in.harbour.example. 1800 IN CNAME a.b.harbour.example.'],
    ['NS', { name: 'sub', data: 'ns.example.net.' }, { data: 'ns.example.net' }, 'sub.harbour.example. 1800 IN NS ns.example.net.'],
    [
      'MX',
      { data: 'mail.harbour.example.', priority: 10 },
      { name: '@', data: 'mail', priority: 10 },
      'harbour.example. 1800 IN MX 10 mail.harbour.example.',
    ],
    [
      'SRV',
      { name: '_sip._tcp', data: 'sip.example.net.', priority: 1, weight: 2, port: 5060, ttl: 60 },
      { data: 'sip.example.net', priority: 1, weight: 2, port: 5060, ttl: 60 },
      '_sip._tcp.harbour.example. 60 IN SRV 1 2 5060 sip.example.net.',
    ],
    [
      'CAA',
      { name: '@', data: 'letsencrypt.org.', flags: 0, tag: 'issue' },
      { data: 'letsencrypt.org', tag: 'issue' },
      'harbour.example. 1800 IN CAA 0 issue "letsencrypt.org"',
    ],
    [
      'CAA',
      { name: '@', data: 'mailto:a@b.example', flags: 128, tag: 'iodef' },
      { flags: 128 },
      'harbour.example. 1800 IN CAA 128 iodef "mailto:a@b.example"',
    ],
    ['TXT', { name: '@', data: 'v=spf1 "x" -all' }, { data: 'v=spf1 "x" -all' }, 'harbour.example. 1800 IN TXT "v=spf1 \\"x\\" -all"'],
    ['A', { name: 'full.harbour.example.', data: '192.0.2.8' }, { name: 'full' }, 'full.harbour.example. 1800 IN A 192.0.2.8'],
  ])('of type %s with %j is shown so, and served so', async (type, body, shown, line) => {
    await using platform = await platformWithZone();
    const made = await platform.post(`/v2/domains/${ZONE}/records`, { type, ...body });
    expect(made.status, made.body.message).toBe(201);
    const nulls = { priority: null, port: null, weight: null, flags: null, tag: null, ttl: 1800 };
    const record = made.body.domain_record;
    expect(record).toEqual({ ...nulls, ...body, ...shown, id: record.id, type, ...(type === 'CAA' ? { flags: record.flags } : {}) });
    expect((await platform.get(`/v2/domains/${ZONE}/records/${record.id}`)).body.domain_record).toEqual(record);
    expect(await zoneOf(platform)).toContain(line);
  });

  test('of text longer than 255 bytes is served in pieces', async () => {
    await using platform = await platformWithZone();
    await platform.post(`/v2/domains/${ZONE}/records`, { type: 'TXT', name: 'key', data: 'k'.repeat(300) });
    expect(await zoneOf(platform)).toContain(`key.harbour.example. 1800 IN TXT "${'k'.repeat(255)}" "${'k'.repeat(45)}"`);
    await platform.post(`/v2/domains/${ZONE}/records`, { type: 'TXT', name: 'wide', data: 'é'.repeat(130) });
    expect(await zoneOf(platform)).toContain(`wide.harbour.example. 1800 IN TXT "${'é'.repeat(127)}" "${'é'.repeat(3)}"`);
  });

  const dot = 'Data needs to end with a dot (.)';
  test.each([
    ['no type', { name: 'a', data: '192.0.2.1' }, 'type is required.'],
    ['an unknown type', { type: 'PTR', name: 'a', data: 'x.' }, undefined],
    ['a second SOA', { type: 'SOA', ttl: 1800 }, undefined],
    ['an A record without an IPv4', { type: 'A', name: 'a', data: '2001:db8::1' }, 'IP address is not valid'],
    ['an AAAA record without an IPv6', { type: 'AAAA', name: 'a', data: '192.0.2.1' }, 'IP address is not valid'],
    ['an AAAA record with half an address', { type: 'AAAA', name: 'a', data: '2001:db8' }, 'IP address is not valid'],
    ['a CNAME without a dot', { type: 'CNAME', name: 'a', data: 'x.example.net' }, dot],
    ['an NS without a dot', { type: 'NS', name: 'a', data: 'x.example.net' }, dot],
    ['an MX without a dot', { type: 'MX', name: 'a', data: 'x.example.net', priority: 1 }, dot],
    ['an SRV without a dot', { type: 'SRV', name: '_a._tcp', data: 'x', priority: 1, weight: 1, port: 1 }, dot],
    ['a CAA issuer without a dot', { type: 'CAA', name: '@', data: 'x.org', flags: 0, tag: 'issue' }, dot],
    ['a CAA report to nowhere', { type: 'CAA', name: '@', data: 'x.org.', flags: 0, tag: 'iodef' }, undefined],
    ['a CAA without flags', { type: 'CAA', name: '@', data: 'x.org.', tag: 'issue' }, undefined],
    ['a CAA with flags of 256', { type: 'CAA', name: '@', data: 'x.org.', flags: 256, tag: 'issue' }, undefined],
    ['an MX without a priority', { type: 'MX', name: '@', data: 'x.example.net.' }, undefined],
    ['an SRV without a port', { type: 'SRV', name: '_a._tcp', data: 'x.net.', priority: 1, weight: 1 }, undefined],
    ['no data', { type: 'A', name: 'a' }, 'data is required.'],
    ['no name', { type: 'A', data: '192.0.2.1' }, 'name is required.'],
    ['a name with a blank', { type: 'A', name: 'a b', data: '192.0.2.1' }, undefined],
    ['a name of another zone', { type: 'A', name: 'www.example.net.', data: '192.0.2.1' }, undefined],
    ['a line break in a text', { type: 'TXT', name: 'a', data: 'x\ny' }, undefined],
    ['a ttl of 29', { type: 'A', name: 'a', data: '192.0.2.1', ttl: 29 }, undefined],
    ['a ttl that is a text', { type: 'A', name: 'a', data: '192.0.2.1', ttl: '60' }, undefined],
    ['a CNAME of the zone itself', { type: 'CNAME', name: '@', data: 'x.net.' }, 'CNAME records cannot share a name with other records'],
    ['an unknown field', { type: 'A', name: 'a', data: '192.0.2.1', colour: 1 }, 'colour is not a known field.'],
  ])('is refused for %s, and the zone stays', async (_what, body, message) => {
    await using platform = await platformWithZone();
    const before = await zoneOf(platform);
    const { status, body: answer } = await platform.post(`/v2/domains/${ZONE}/records`, body);
    expect([status, answer.id]).toEqual([422, 'unprocessable_entity']);
    expect(message ?? answer.message).toBe(answer.message);
    expect(await zoneOf(platform)).toEqual(before);
  });

  test('shares no name with a CNAME, in either order, nor by a change', async () => {
    await using platform = await platformWithZone();
    const path = `/v2/domains/${ZONE}/records`;
    await platform.post(path, { type: 'A', name: 'one', data: '192.0.2.1' });
    await platform.post(path, { type: 'CNAME', name: 'two', data: '@' });
    expect((await platform.post(path, { type: 'CNAME', name: 'ONE', data: '@' })).status).toBe(422);
    expect((await platform.post(path, { type: 'TXT', name: 'two', data: 'x' })).status).toBe(422);
    const three = (await platform.post(path, { type: 'CNAME', name: 'three', data: '@' })).body.domain_record;
    expect((await platform.put(`${path}/${three.id}`, { type: 'CNAME', name: 'one' })).status).toBe(422);
    expect((await platform.put(`${path}/${three.id}`, { type: 'CNAME', name: 'three', ttl: 90 })).status).toBe(200);
  });

  test('keeps in a change what is not named, also a name it points to', async () => {
    await using platform = await platformWithZone();
    const path = `/v2/domains/${ZONE}/records`;
    const mail = { type: 'MX', name: '@', data: 'mail.harbour.example.', priority: 10 };
    const { id } = (await platform.post(path, mail)).body.domain_record;
    const changed = await platform.put(`${path}/${id}`, { ttl: 300 });
    expect(changed.body.domain_record).toMatchObject({ id, type: 'MX', name: '@', data: 'mail', priority: 10, ttl: 300 });
    expect(await zoneOf(platform)).toContain('harbour.example. 300 IN MX 10 mail.harbour.example.');
    const moved = await platform.put(`${path}/${id}`, { type: 'A', name: 'mx', data: '192.0.2.3' });
    expect(moved.body.domain_record).toMatchObject({ id, type: 'A', name: 'mx', data: '192.0.2.3', priority: null });
    expect((await recordsOf(platform, '?type=MX')).length).toBe(0);
    expect((await platform.put(`${path}/${id}`, { type: 'CNAME' })).body.message).toBe('Data needs to end with a dot (.)');
  });

  test.each([
    ['CAA', { data: 'letsencrypt.org.', flags: 0, tag: 'issue' }, 'letsencrypt.org'],
    ['CAA', { data: ';', flags: 0, tag: 'issuewild' }, ';'],
    ['NS', { name: 'sub', data: 'ns.example.net.' }, 'ns.example.net'],
    ['CNAME', { name: 'sub', data: '@' }, '@'],
  ])('of type %s with %j keeps its data when only its ttl changes', async (type, body, data) => {
    await using platform = await platformWithZone();
    const { domain_record } = (await platform.post(`/v2/domains/${ZONE}/records`, { name: '@', type, ...body })).body;
    const changed = await platform.put(`/v2/domains/${ZONE}/records/${domain_record.id}`, { type, ttl: 90 });
    expect(changed.body.domain_record).toEqual({ ...domain_record, data, ttl: 90 });
  });

  test('of type SOA changes its ttl alone, which the zone takes for its own, and can not be deleted', async () => {
    await using platform = await platformWithZone();
    const [soa] = await recordsOf(platform, '?type=SOA');
    const path = `/v2/domains/${ZONE}/records`;
    const changed = await platform.put(`${path}/${soa.id}`, { type: 'SOA', ttl: 3600 });
    expect(changed.body.domain_record).toEqual({ ...soa, ttl: 3600 });
    expect((await platform.get(`/v2/domains/${ZONE}`)).body.domain).toMatchObject({ ttl: 3600 });
    expect(await zoneOf(platform)).toContain('$TTL 3600');
    expect((await platform.post(path, { type: 'A', name: 'new', data: '192.0.2.1' })).body.domain_record.ttl).toBe(3600);
    expect((await platform.put(`${path}/${soa.id}`, { type: 'SOA', data: 'x' })).status).toBe(422);
    expect((await platform.put(`${path}/${soa.id}`, { type: 'A', data: '192.0.2.1' })).status).toBe(422);
    expect((await platform.del(`${path}/${soa.id}`)).status).toBe(422);
  });

  test('is found by its full name, its type, and both; paged with the filter', async () => {
    await using platform = await platformWithZone();
    const path = `/v2/domains/${ZONE}/records`;
    for (const [type, name, data] of [
      ['A', 'www', '192.0.2.1'],
      ['AAAA', 'www', '2001:db8::1'],
      ['A', 'mail', '192.0.2.2'],
    ]) {
      await platform.post(path, { type, name, data });
    }
    const types = async (query: string): Promise<Json> =>
      (await recordsOf(platform, query)).map((record: Json) => `${record.type} ${record.name}`);
    expect(await types('?name=www.harbour.example')).toEqual(['A www', 'AAAA www']);
    expect(await types('?name=WWW.harbour.example&type=AAAA')).toEqual(['AAAA www']);
    expect(await types('?type=A')).toEqual(['A www', 'A mail']);
    expect(await types(`?name=${ZONE}`)).toHaveLength(4);
    expect(await types('?name=none.example')).toEqual([]);
    const { body } = await platform.get(`${path}?type=A&per_page=1&page=2`);
    expect([body.domain_records[0].name, body.meta.total]).toEqual(['mail', 2]);
    expect(body.links.pages.first).toContain('type=A');
  });

  test('is of its own domain alone', async () => {
    await using platform = await platformWithZone();
    await platform.post('/v2/domains', { name: 'other.example' });
    const [soa] = await recordsOf(platform);
    expect((await platform.get(`/v2/domains/other.example/records/${soa.id}`)).status).toBe(404);
    expect((await platform.put(`/v2/domains/other.example/records/${soa.id}`, { type: 'SOA', ttl: 60 })).status).toBe(404);
    expect((await platform.del(`/v2/domains/other.example/records/${soa.id}`)).status).toBe(404);
    expect((await platform.del('/v2/domains/other.example/records/none')).status).toBe(404);
    expect((await platform.post('/v2/domains/none.example/records', { type: 'A', name: 'a', data: '192.0.2.1' })).status).toBe(404);
  });
});
