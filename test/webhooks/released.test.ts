import { expect, it, onTestFinished, vi } from 'vitest';
import { passageTo } from '../access/support/passage.ts';
import { redisProgram, redisStore } from '../access/support/stores.ts';
import { json, scriptedPlatform } from '../support/platform.ts';
import { makeKey, secret } from './support/key-hook.ts';
import { hooksFunction, settings, signed, token } from './support/sender.ts';

it.skipIf(redisProgram === undefined)(
  'carries out a delivery that another instance just gave back',
  async () => {
    const store = await redisStore(redisProgram ?? '');
    onTestFinished(() => store.end());
    const passage = await passageTo(store);
    let giveBack = () => {};
    const platform = await scriptedPlatform((response, _, attempt) => {
      if (attempt > 1) return json(response, 201, { ssh_key: { id: 1, name: 'n', public_key: 'k' } });
      giveBack = () => json(response, 429, { id: 'too_many_requests', message: 'slow down' });
    });
    const one = hooksFunction(makeKey, { ...settings(platform.url), KV_URL: store.url });
    const other = hooksFunction(makeKey, { ...settings(platform.url), KV_URL: passage.url });
    // A store that is slow to open would have the delivery refused.
    const list = { method: 'GET', headers: { authorization: `Bearer ${token}` } };
    const opened = async ({ send }: typeof one) => expect((await send('/target/deliveries', list)).status).toBe(200);
    for (const each of [one, other]) await vi.waitFor(() => opened(each), { timeout: 10_000 });
    const body = '{"name":"x"}';
    const sent = { body, headers: signed.github(body, secret, 'twice') };
    const first = one.send('/target', sent);
    await vi.waitFor(() => expect(platform.arrived).toHaveLength(1), { timeout: 4000 });
    // It finds the delivery claimed, and then asks what became of it.
    passage.holdRequestsFrom('GET');
    const second = other.send('/target', sent);
    await vi.waitFor(() => expect(passage.holds()).toBe(true), { timeout: 4000 });
    giveBack();
    expect(await first).toMatchObject({ status: 503, json: { status: 'failed' } });
    passage.letGo();
    expect((await second).json.status).toBe('done');
    expect(platform.arrived).toHaveLength(2);
  },
  20_000,
);
