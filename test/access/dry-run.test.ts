import { describe, expect, it } from 'vitest';
import { withoutSecrets } from '../../lib/access/redact.ts';
import { hintsOf } from '../../lib/catalogue/tool.ts';
import type { PlatformRequest } from '../../lib/client/request.ts';
import { everyTool } from '../support/call-of.ts';
import { gateway } from '../support/gateway.ts';
import { json, scriptedPlatform } from '../support/platform.ts';
import { routedCases, runCases } from '../tools/cases/every-case.ts';

const isWrite = (name: string) => !hintsOf(everyTool.tool(name)).readOnly;
const nowhere = { PLATFORM_API_URL: 'http://127.0.0.1:1' };

/** A request as a dry run shows it. */
function shown(name: string, { method, path, body }: PlatformRequest) {
  const [pathname, query] = path.split('?');
  return {
    method,
    path: pathname,
    ...(query && { query: Object.fromEntries(new URLSearchParams(query)) }),
    ...(body !== undefined && { body: withoutSecrets(body, everyTool.tool(name).secrets) }),
  };
}

describe('a dry run', () => {
  it.each(routedCases.filter(([name]) => isWrite(name)))('of %s %j shows the request and sends nothing', async (name, given, request) => {
    const answer = await gateway(nowhere)('POST', `/tools/${name}`, { body: { ...given, DryRun: true } });
    expect(answer.json).toMatchObject({ isError: false, result: { dryRun: true } });
    expect(answer.json.result.request).toEqual(JSON.parse(JSON.stringify(shown(name, request))));
  });

  it.each(runCases.filter(([name]) => isWrite(name)))('of %s %j makes its reads and no change', async (name, given, replies, requests) => {
    const platform = await scriptedPlatform((response, _, attempt) => json(response, 200, replies[attempt - 1]));
    const answer = await gateway({ PLATFORM_API_URL: platform.url })('POST', `/tools/${name}`, { body: { ...given, DryRun: true } });
    const change = requests.find(({ method }) => method !== 'GET');
    expect(answer.json.result).toEqual(JSON.parse(JSON.stringify({ dryRun: true, request: change ? shown(name, change) : null })));
    expect(platform.arrived.map(({ method, url }) => ({ method, path: url }))).toEqual(
      requests.slice(0, change && requests.indexOf(change)).map(({ method, path }) => ({ method, path })),
    );
  });

  it('is held to the same arguments, and to the same selection', async () => {
    const request = gateway(nowhere);
    expect((await request('POST', '/tools/key-delete', { body: { ID: 'x', DryRun: true } })).json.error.code).toBe('invalid_arguments');
    expect((await request('POST', '/tools/key-delete', { body: { ID: 1, DryRun: 'maybe' } })).json.error.problems[0].field).toBe('DryRun');
    expect((await request('POST', '/tools/key-delete?readonly=true', { body: { ID: 1, DryRun: true } })).json.error.code).toBe('forbidden');
    expect((await request('POST', '/tools/key-get', { body: { ID: 1, DryRun: true } })).json.error.code).toBe('invalid_arguments');
  });

  it('shows no secret of its arguments', async () => {
    const source = { host: 'h', port: 1, dbname: 'd', username: 'u', password: 'canary' };
    const given = { id: '9cc10173-e9ea-4176-9dbc-a4cee4c4ff30', source, DryRun: true };
    const answer = await gateway(nowhere)('POST', '/tools/db-cluster-start-online-migration', { body: given });
    expect(answer.json.result.request.body.source).toBe('[redacted]');
    expect(answer.text).not.toContain('canary');
  });
});

describe('an address with a password in it', () => {
  it('is shown without all of it, an @ in the password included', () => {
    expect(withoutSecrets({ Target: 'https://user:p@canary@example.com/a@b' })).toEqual({ Target: 'https://[redacted]@example.com/a@b' });
  });
});
