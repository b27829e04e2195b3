import { describe, expect, it } from 'vitest';
import { gateway } from '../support/gateway.ts';
import { json, scriptedPlatform } from '../support/platform.ts';

const silent = () => scriptedPlatform(() => {});
const remaining = (ms: number) => ({ getRemainingTimeInMillis: () => ms });
const write = { body: { Name: 'a', PublicKey: 'b' } };

describe('the time a function has', () => {
  it('ends a call that the platform does not answer, and says that nothing happened', async () => {
    const { url } = await silent();
    const answer = await gateway({ PLATFORM_API_URL: url })('POST', '/tools/key-list', { context: remaining(600) });
    expect(answer).toMatchObject({ status: 504, json: { error: { code: 'deadline_exceeded', retryable: true } } });
  });

  it('is taken from the deadline where there is no method that tells it', async () => {
    const { url } = await silent();
    const context = { deadline: Date.now() + 500 };
    const answer = await gateway({ PLATFORM_API_URL: url })('POST', '/tools/key-list', { context });
    expect(answer.json.error.code).toBe('deadline_exceeded');
  });

  it('when it ends under a write, names the call that finds out what came of it', async () => {
    const { url } = await silent();
    const answer = await gateway({ PLATFORM_API_URL: url })('POST', '/tools/key-create', { ...write, context: remaining(500) });
    expect(answer).toMatchObject({
      status: 504,
      json: { error: { code: 'outcome_unknown', retryable: false, next: [{ tool: 'key-list', arguments: {} }] } },
    });
  });

  it('when none is left, sends nothing', async () => {
    const platform = await scriptedPlatform((response) => json(response, 200, {}));
    const answer = await gateway({ PLATFORM_API_URL: platform.url })('POST', '/tools/key-create', { ...write, context: remaining(10) });
    expect(answer.json.error).toMatchObject({ code: 'deadline_exceeded', message: expect.stringContaining('nothing was changed') });
    expect(platform.arrived).toEqual([]);
  });

  it('bounds how often a read is repeated', async () => {
    const platform = await scriptedPlatform((response) => json(response, 503, { message: 'down' }));
    const answer = await gateway({ PLATFORM_API_URL: platform.url })('POST', '/tools/key-list', { context: remaining(1300) });
    expect(answer).toMatchObject({ status: 503, json: { error: { code: 'platform_unavailable' } } });
    expect(platform.arrived.length).toBeGreaterThan(1);
  });

  it('of one call is not spent by another that hangs', async () => {
    const platform = await scriptedPlatform(
      (response, { url }) => url.startsWith('/v2/account/keys') || json(response, 200, { account: {} }),
    );
    const request = gateway({ PLATFORM_API_URL: platform.url });
    const hanging = request('POST', '/tools/key-list', { context: remaining(800) });
    expect((await request('POST', '/tools/account-get-information')).status).toBe(200);
    expect((await hanging).status).toBe(504);
  });
});
