import { createHash } from 'node:crypto';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { resourcePathOf } from '../../lib/access/consent/resource-path.ts';
import { hintsOf, methodOf, pathOf } from '../../lib/catalogue/tool.ts';
import { type Emulator, startEmulator } from '../../lib/emulator/start-emulator.ts';
import type { CallRecord } from '../../lib/protocols/call-log.ts';
import { everyTool } from '../support/call-of.ts';
import { gateway } from '../support/gateway.ts';
import { json as answerJson, scriptedPlatform } from '../support/platform.ts';

const hash = (token: string) => createHash('sha256').update(token).digest('hex');
const sealKey = 'k'.repeat(32);

let emulator: Emulator;
beforeAll(async () => {
  emulator = await startEmulator({ speed: 0 });
});
afterAll(() => emulator.close());
afterEach(() => void vi.useRealTimers());

/** Clients of one installation on the emulator, with two callers. */
function installation(environment: Record<string, string> = {}) {
  const logged: CallRecord[] = [];
  const settings = {
    PLATFORM_API_URL: emulator.url,
    PLATFORM_API_TOKEN: emulator.token,
    ACCESS_TOKENS: `a=sha256:${hash('one')}, b=sha256:${hash('two')}`,
    ...environment,
  };
  const request = gateway(settings, { log: (record) => logged.push(record) });
  let id = 0;
  return {
    logged,
    /** A program's call, in plain JSON. */
    async plain(tool: string, body: object = {}) {
      return (await request('POST', `/tools/${tool}`, { body, headers: { authorization: 'Bearer one' } })).json;
    },
    /** A model's call, by a client that cannot ask its user. */
    async call(tool: string, given: object, token = 'one') {
      const body = { jsonrpc: '2.0', id: ++id, method: 'tools/call', params: { name: tool, arguments: given } };
      const { json } = await request('POST', '/mcp', { body, headers: { authorization: `Bearer ${token}` } });
      const { isError, structuredContent } = json.result;
      return isError ? { error: structuredContent.error } : { result: structuredContent };
    },
    /** A model's call, by a client that can show a form. */
    async form(tool: string, given: object, params: object = {}, token = 'one') {
      const _meta = {
        'io.modelcontextprotocol/protocolVersion': '2026-07-28',
        'io.modelcontextprotocol/clientCapabilities': { elicitation: {} },
      };
      const headers = {
        authorization: `Bearer ${token}`,
        'mcp-protocol-version': '2026-07-28',
        'mcp-method': 'tools/call',
        'mcp-name': tool,
      };
      const body = { jsonrpc: '2.0', id: ++id, method: 'tools/call', params: { name: tool, arguments: given, ...params, _meta } };
      return (await request('POST', '/mcp', { body, headers })).json;
    },
  };
}

/** What the log says was decided on the calls of a tool, in order. */
function decisionsOn(tool: string, { logged }: ReturnType<typeof installation>) {
  return logged.filter(({ call }) => call === tool).map(({ decision }) => decision);
}

let domains = 0;
/** A domain of its own, with its records of the beginning. */
async function newDomain({ plain }: ReturnType<typeof installation>): Promise<string> {
  const Name = `consent-${++domains}.example.com`;
  expect(await plain('domain-create', { Name, IPAddress: '203.0.113.9' })).toMatchObject({ isError: false });
  return Name;
}

const agreed = { inputResponses: { confirmation: { action: 'accept', content: { confirm: true } } } };

describe('a model that asks for something destructive', () => {
  it('is told what would happen to what, changes nothing, and may come back with the token', async () => {
    const clients = installation();
    const Name = await newDomain(clients);
    const { error } = await clients.call('domain-delete', { Name });
    expect(error).toMatchObject({
      code: 'confirmation_required',
      retryable: false,
      confirmation: {
        resource: { name: Name, dependents: [expect.stringMatching(/^5 records \(.*, \.\.\.\)$/)] },
        request: { method: 'DELETE', path: `/v2/domains/${Name}` },
        expiresAt: expect.stringMatching(/^\d{4}-/),
      },
    });
    expect(error.message).toContain(`"${Name}"; on it depend 5 records`);
    expect(await clients.plain('domain-get', { Name })).toMatchObject({ isError: false });
    const { result } = await clients.call('domain-delete', { Name, Confirm: error.confirmation.token });
    expect(result).toEqual({ done: true, Name });
    expect(decisionsOn('domain-delete', clients)).toEqual(['asked', 'confirmed']);
    expect(await clients.plain('domain-get', { Name })).toMatchObject({ error: { code: 'not_found' } });
  });

  it('is asked by a form where its client can show one, and the call goes on with the answer', async () => {
    const clients = installation();
    const Name = await newDomain(clients);
    const { result: asked } = await clients.form('domain-delete', { Name });
    expect(asked.resultType).toBe('input_required');
    const { message, requestedSchema } = asked.inputRequests.confirmation.params;
    expect(message).toContain(`"${Name}"; on it depend 5 records`);
    expect(requestedSchema).toMatchObject({ properties: { confirm: { type: 'boolean', default: false } }, required: ['confirm'] });
    expect(await clients.plain('domain-get', { Name })).toMatchObject({ isError: false });
    const { result: unanswered } = await clients.form('domain-delete', { Name }, { requestState: asked.requestState });
    expect(unanswered.resultType).toBe('input_required');
    const { result } = await clients.form('domain-delete', { Name }, { ...agreed, requestState: asked.requestState });
    expect(result.structuredContent).toEqual({ done: true, Name });
    expect(decisionsOn('domain-delete', clients)).toEqual(['asked', 'asked', 'confirmed']);
  });

  it.each([
    ['declines', { action: 'decline' }],
    ['closes the form', { action: 'cancel' }],
    ['leaves it unticked', { action: 'accept', content: { confirm: false } }],
    ['answers something else', { action: 'accept', content: { confirm: 'true' } }],
  ])('is refused where the person %s', async (_, answer) => {
    const clients = installation();
    const Name = await newDomain(clients);
    const { result: asked } = await clients.form('domain-delete', { Name });
    const { result } = await clients.form(
      'domain-delete',
      { Name },
      { inputResponses: { confirmation: answer }, requestState: asked.requestState },
    );
    expect(result).toMatchObject({ isError: true, structuredContent: { error: { code: 'forbidden' } } });
    expect(clients.logged.at(-1)).toMatchObject({ call: 'domain-delete', decision: 'declined', outcome: 'forbidden' });
    expect(await clients.plain('domain-get', { Name })).toMatchObject({ isError: false });
  });

  it('is told at once of what is not there', async () => {
    const { error } = await installation().call('domain-delete', { Name: 'nowhere.example.com' });
    expect(error.code).toBe('not_found');
  });
});

describe('what a person is asked', () => {
  it('names an instance with size, address, cost, and what depends on it', async () => {
    const { plain, call } = installation();
    const made = await plain('instance-create', { Name: 'web-1', Region: 'nyc3', Size: 's-1vcpu-1gb', ImageID: await anImage(plain) });
    const { id } = made.result;
    const inbound = { InboundProtocol: 'tcp', InboundPortRange: '22', InboundSource: '0.0.0.0/0' };
    const outbound = { OutboundProtocol: 'tcp', OutboundPortRange: '80', OutboundDestination: '0.0.0.0/0' };
    const guard = await plain('firewall-create', { Name: 'guard', InstanceIDs: [id], ...inbound, ...outbound });
    expect(guard).toMatchObject({ isError: false });
    const { error } = await call('instance-delete', { ID: id });
    const { name, size, address, region, dependents, monthlyCost } = error.confirmation.resource;
    expect({ name, size, region }).toEqual({ name: 'web-1', size: 's-1vcpu-1gb', region: 'nyc3' });
    expect(address).toMatch(/^\d+\.\d+\.\d+\.\d+$/);
    expect(monthlyCost).toBe(6);
    expect(error.message).toContain('it costs 6 a month');
    expect(dependents).toEqual(['1 firewall ("guard")']);
  });

  it('counts the instances that a tag reaches', async () => {
    const { plain, call } = installation();
    const made = { Region: 'nyc3', Size: 's-1vcpu-1gb', ImageID: await anImage(plain), Tags: ['fleet'] };
    for (const Name of ['fleet-1', 'fleet-2']) await plain('instance-create', { ...made, Name });
    const { error } = await call('power-off-instances-tag', { Tag: 'fleet' });
    expect(error.confirmation.resource).toMatchObject({
      name: 'instances tagged fleet',
      dependents: ['2 instances ("fleet-2", "fleet-1")'],
    });
  });

  it('shows no more of a name than a person can read', async () => {
    const name = `web\u202e\u061c\u{e0041}\u001b[2J${'x'.repeat(300)}`;
    const platform = await scriptedPlatform((response) => answerJson(response, 200, { ssh_key: { id: 7, name } }));
    const { error } = await installation({ PLATFORM_API_URL: platform.url }).call('key-delete', { ID: 7 });
    expect(error.confirmation.resource.name).toBe(`web[2J${'x'.repeat(114)}`);
  });

  it('shows no more of a tag either', async () => {
    const platform = await scriptedPlatform((response) => answerJson(response, 200, { droplets: [] }));
    const { error } = await installation({ PLATFORM_API_URL: platform.url }).call('power-off-instances-tag', { Tag: 'web\u202e\u001b[2J' });
    expect(error.confirmation.resource.name).toBe('instances tagged web[2J');
    expect(error.message).toContain('It concerns "instances tagged web[2J"');
  });

  it('says in a form what would be sent, body and all but secrets, and how much of a long one is not shown', async () => {
    const platform = await scriptedPlatform((response) => answerJson(response, 403, { id: 'forbidden', message: 'no' }));
    const { form } = installation({ PLATFORM_API_URL: platform.url });
    const question = async (tool: string, given: object) => (await form(tool, given)).result.inputRequests.confirmation.params.message;
    expect(await question('rebuild-instance-by-slug', { ID: 7, ImageSlug: 'debian-\u202e12' })).toMatch(
      /sent as POST \/v2\/droplets\/7\/actions with \{"type":"rebuild","image":"debian-12"\}\.$/,
    );
    const source = { host: 'h', port: 1, dbname: 'd', username: 'u', password: 'canary' };
    expect(await question('db-cluster-start-online-migration', { id: 'x', source })).not.toContain('canary');
    const long = await question('rebuild-instance-by-slug', { ID: 7, ImageSlug: 'x'.repeat(5000) });
    expect(long).toMatch(/x\.\.\. \(3\d{3} more characters\)\.$/);
  });

  it('is put also where the platform does not let the resource be read', async () => {
    const platform = await scriptedPlatform((response) => answerJson(response, 403, { id: 'forbidden', message: 'no' }));
    const { error } = await installation({ PLATFORM_API_URL: platform.url }).call('key-delete', { ID: 7 });
    expect(error).toMatchObject({ code: 'confirmation_required', confirmation: { request: { path: '/v2/account/keys/7' } } });
    expect(platform.arrived.map(({ method }) => method)).toEqual(['GET']);
  });

  it('can be found out for every destructive tool: its resource is one that a read tool reads, or a set of instances', () => {
    const open = (path: string) => path.replace(/\{\w+\}/g, '{}');
    const tools = everyTool.toolsets.flatMap((toolset) => toolset.tools);
    const read = new Set(
      tools
        .flatMap((tool) => (tool.run ? tool.calls : [tool.route]))
        .filter((call) => methodOf(call) === 'GET')
        .map((call) => open(pathOf(call))),
    );
    const unread = tools
      .filter((tool) => hintsOf(tool).destructive)
      .flatMap((tool) =>
        (tool.run ? tool.calls : [tool.route])
          .filter((call) => methodOf(call) !== 'GET')
          .map(
            (call) =>
              resourcePathOf(tool, { method: methodOf(call), path: open(pathOf(call)).replaceAll('{}', '1') })?.kind ?? pathOf(call),
          )
          .filter((kind) => !read.has(kind)),
      );
    expect([...new Set(unread)]).toEqual(['/v2/droplets/actions']);
  });
});

describe('a confirmation', () => {
  it('holds for its caller, its tool and its arguments alone, for ten minutes, and not when changed', async () => {
    const clients = installation({ SEAL_KEY: sealKey });
    const Name = await newDomain(clients);
    const other = await newDomain(clients);
    vi.useFakeTimers({ toFake: ['Date'] });
    const { error } = await clients.call('domain-delete', { Name });
    const { token } = error.confirmation;
    const attempts: readonly (readonly [string, string, object, string])[] = [
      ['domain-delete', 'one', { Name: other, Confirm: token }, 'other arguments'],
      ['domain-get', 'one', { Name, Confirm: token }, 'Confirm'],
      ['domain-delete', 'two', { Name, Confirm: token }, 'another caller'],
      ['domain-delete', 'one', { Name, Confirm: `${token.slice(0, -2)}AA` }, 'not handed out here'],
      ['domain-delete', 'one', { Name, Confirm: 'true' }, 'not handed out here'],
      ['domain-delete', 'one', { Name, Confirm: '' }, 'not handed out here'],
    ];
    for (const [tool, caller, given, said] of attempts) {
      expect((await clients.call(tool, given, caller)).error.message).toContain(said);
    }
    vi.setSystemTime(Date.now() + 10 * 60_000 + 1);
    expect((await clients.call('domain-delete', { Name, Confirm: token })).error).toMatchObject({
      code: 'forbidden',
      message: expect.stringContaining('10 minutes'),
    });
    expect(await clients.plain('domain-get', { Name })).toMatchObject({ isError: false });
  });

  it('holds however the same arguments are spelt', async () => {
    const clients = installation();
    const Domain = await newDomain(clients);
    const { items } = (await clients.plain('domain-record-list', { Domain })).result;
    const { id } = items.find(({ type }: { type: string }) => type === 'A');
    const { error } = await clients.call('domain-record-delete', { Domain, RecordID: id });
    const again = { Confirm: error.confirmation.token, recordid: String(id), domain: Domain };
    expect((await clients.call('domain-record-delete', again)).result).toMatchObject({ done: true });
  });

  it('of a form is no token of a challenge, and a state that was changed is refused', async () => {
    const clients = installation();
    const Name = await newDomain(clients);
    const { result: asked } = await clients.form('domain-delete', { Name });
    expect((await clients.call('domain-delete', { Name, Confirm: asked.requestState })).error.code).toBe('forbidden');
    const { error } = await clients.call('domain-delete', { Name });
    for (const requestState of [error.confirmation.token, `${asked.requestState.slice(0, -2)}AA`, 'x']) {
      expect((await clients.form('domain-delete', { Name }, { ...agreed, requestState })).error.code).toBe(-32602);
    }
    const withoutState = await clients.form('domain-delete', { Name }, agreed);
    expect(withoutState.result.resultType).toBe('input_required');
    expect(await clients.plain('domain-get', { Name })).toMatchObject({ isError: false });
  });

  it('that came too late by form is asked for anew', async () => {
    const clients = installation();
    const Name = await newDomain(clients);
    vi.useFakeTimers({ toFake: ['Date'] });
    const { result: asked } = await clients.form('domain-delete', { Name });
    vi.setSystemTime(Date.now() + 11 * 60_000);
    const { result } = await clients.form('domain-delete', { Name }, { ...agreed, requestState: asked.requestState });
    expect(result.resultType).toBe('input_required');
  });

  it('of one installation is worth nothing at another', async () => {
    const clients = installation({ SEAL_KEY: sealKey });
    const Name = await newDomain(clients);
    const { error } = await clients.call('domain-delete', { Name });
    for (const clients of [installation({ SEAL_KEY: 'x'.repeat(32) }), installation()]) {
      const answer = await clients.call('domain-delete', { Name, Confirm: error.confirmation.token });
      expect(answer.error.message).toContain('not handed out here');
    }
  });
});

describe('what needs consent', () => {
  it('is what destroys or interrupts, by default; every change, or nothing, where the setting says so', async () => {
    const create = { Name: 'x.example.com', IPAddress: '203.0.113.1', DryRun: true };
    const edit = { Name: 'settings.example.com', IPAddress: '203.0.113.1' };
    expect((await installation().call('domain-create', edit)).result).toMatchObject({ name: 'settings.example.com' });
    const writes = installation({ CONFIRM: 'writes' });
    const { error } = await writes.call('domain-create', { ...edit, Name: 'writes.example.com' });
    expect(error).toMatchObject({ code: 'confirmation_required', confirmation: { request: { body: { name: 'writes.example.com' } } } });
    expect((await writes.call('domain-get', { Name: 'settings.example.com' })).result).toMatchObject({ name: 'settings.example.com' });
    expect((await writes.call('domain-create', create)).result).toMatchObject({ dryRun: true });
    expect((await installation({ CONFIRM: 'off' }).call('domain-delete', { Name: 'settings.example.com' })).result).toMatchObject({
      done: true,
    });
  });

  it('is never a call in plain JSON: that the program was written is the consent', async () => {
    const clients = installation({ CONFIRM: 'writes', CONFIRM_FALLBACK: 'refuse' });
    const Name = await newDomain(clients);
    expect(await clients.plain('domain-delete', { Name })).toMatchObject({ isError: false });
  });

  it('is refused, or let pass, for clients that cannot ask, where the setting says so', async () => {
    const refusing = installation({ CONFIRM_FALLBACK: 'refuse' });
    const Name = await newDomain(refusing);
    expect((await refusing.call('domain-delete', { Name })).error).toMatchObject({
      code: 'forbidden',
      message: expect.stringContaining('forms'),
    });
    const { error } = await installation({ SEAL_KEY: sealKey }).call('domain-delete', { Name });
    const strict = installation({ SEAL_KEY: sealKey, CONFIRM_FALLBACK: 'refuse' });
    const late = await strict.call('domain-delete', { Name, Confirm: error.confirmation.token });
    expect(late.error).toMatchObject({ code: 'forbidden', message: expect.stringContaining('forms') });
    expect((await refusing.form('domain-delete', { Name })).result.resultType).toBe('input_required');
    expect((await installation({ CONFIRM_FALLBACK: 'allow' }).call('domain-delete', { Name })).result).toMatchObject({ done: true });
  });
});

// biome-ignore lint/suspicious/noExplicitAny: answers of every shape
async function anImage(plain: (tool: string, body?: object) => Promise<any>): Promise<number> {
  const { items } = (await plain('image-list', { Type: 'distribution', PerPage: 1 })).result;
  return items[0].id;
}
