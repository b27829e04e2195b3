import { expect, test } from 'vitest';
import { advance, busyDroplet, cpuPolicy, incidents, outbox } from './alerting.ts';
import { dataDirectory, emulatorProcess } from './emulator-process.ts';
import { chatReceiver } from './receiver.ts';

const POLICIES = 12;

/** Where the process is killed: when the receiver has so many messages, before or after it answered the last of them. */
const MOMENTS = [
  ['while the first is arriving', 1, 'before'],
  ['after the first was answered', 1, 'after'],
  ['while the fifth is arriving', 5, 'before'],
  ['after the eighth was answered', 8, 'after'],
] as const;

test.each(MOMENTS)(
  'a process killed by force %s has each message delivered or listed as dead, and none sent twice',
  async (_when, count, moment) => {
    let kill: (() => void) | undefined;
    await using data = await dataDirectory();
    await using receiver = await chatReceiver((_delivery, response, received) => {
      if (moment === 'after') {
        response.end('ok');
      }
      if (received === count) {
        kill?.();
      } else if (moment === 'before') {
        response.end('ok');
      }
    });
    const first = await emulatorProcess(data.path);
    await first.platform.post('/_emulator/clock', { freeze: true, now: '2026-02-10T12:00:00Z' });
    await first.platform.post('/_emulator/reset', { seed: 'empty' });
    const { droplet } = await busyDroplet(first.platform, { chat: [`${receiver.url}/0`] });
    for (let index = 1; index < POLICIES; index += 1) {
      await cpuPolicy(first.platform, { chat: [`${receiver.url}/${index}`] }, { entities: [String(droplet.id)] });
    }
    const killed = new Promise<void>((resolve) => {
      kill = () => first.kill().then(resolve);
    });
    // The connection breaks with the process.
    await Promise.allSettled([advance(first.platform, '5m'), killed]);
    kill = undefined;

    const second = await emulatorProcess(data.path);
    try {
      await advance(second.platform, '3h');
      expect(await incidents(second.platform)).toHaveLength(POLICIES);
      const entries = await outbox(second.platform);
      expect(entries).toHaveLength(POLICIES);
      expect(entries.filter(({ state }) => state !== 'delivered' && state !== 'dead')).toEqual([]);
      const arrived = receiver.deliveries.map(({ headers }) => headers['idempotency-key']);
      expect(new Set(arrived).size, 'no message came twice').toBe(arrived.length);
      const known = new Set([...arrived, ...(await outbox(second.platform, 'dead')).map(({ key }) => key)]);
      expect(known, 'each arrived or is listed as dead').toEqual(new Set(entries.map(({ key }) => key)));
    } finally {
      await second.kill();
    }
  },
);
