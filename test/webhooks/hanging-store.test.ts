import { expect, it, onTestFinished, vi } from 'vitest';
import { passageTo } from '../access/support/passage.ts';
import { redisProgram, redisStore } from '../access/support/stores.ts';
import { keyMaker, makeKey, secret } from './support/key-hook.ts';
import { hooksFunction, settings, signed, token } from './support/sender.ts';

it.skipIf(redisProgram === undefined)(
  'asks to be sent a delivery again while there is time for that, where the store hangs',
  async () => {
    const store = await redisStore(redisProgram ?? '');
    onTestFinished(() => store.end());
    const passage = await passageTo(store);
    const platform = await keyMaker();
    const { send } = hooksFunction(makeKey, { ...settings(platform.url), KV_URL: passage.url });
    const list = { method: 'GET', headers: { authorization: `Bearer ${token}` } };
    await vi.waitFor(async () => expect((await send('/target/deliveries', list)).status).toBe(200), { timeout: 10_000 });
    passage.holdAnswersFrom('EVAL');
    const body = '{"name":"x"}';
    const beganAt = performance.now();
    const answer = await send('/target', { body, headers: signed.github(body, secret), timeMs: 1000 });
    // Twice as long is waited for the store, twice over, where there is time.
    expect(performance.now() - beganAt).toBeLessThan(2000);
    expect(answer).toMatchObject({ status: 503, headers: { 'retry-after': expect.any(String) } });
    expect(platform.arrived).toHaveLength(0);
  },
  20_000,
);
