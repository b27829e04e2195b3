import { describe, expect, test } from 'vitest';
import { type Family, route } from '../../lib/emulator/resources/family.ts';
import { advance, busyDroplet, cpuPolicy, outbox } from './alerting.ts';
import { emptyPlatform, type Platform } from './platform.ts';
import { chatReceiver } from './receiver.ts';

const addresses = (count: number, batch: string): string[] => Array.from({ length: count }, (_, index) => `${batch}-${index}@example.com`);

const redelivery = async (platform: Platform, id: number): Promise<number> =>
  (await platform.post(`/_emulator/outbox/${id}/redeliver`)).status;

describe('the outbox', () => {
  test('keeps the newest thousand of what is over, and whatever is dead', async () => {
    await using gone = await chatReceiver((_delivery, response) => response.writeHead(410).end());
    await using platform = await emptyPlatform();
    const { droplet } = await busyDroplet(platform, { chat: [gone.url], mail: addresses(400, 'first') });
    await advance(platform, '5m');
    for (const batch of ['second', 'third']) {
      await cpuPolicy(platform, { mail: addresses(400, batch) }, { entities: [String(droplet.id)] });
      await advance(platform, '5m');
    }
    const all = await outbox(platform);
    expect(all.map(({ state }) => state)).toEqual(Array(1000).fill('kept'));
    expect(all.at(-1)).toMatchObject({ to: 'third-399@example.com' });
    const [dead] = await outbox(platform, 'dead');
    // What is there and not dead is refused as such.
    expect(await redelivery(platform, dead?.id + 200)).toBe(404);
    expect(await redelivery(platform, dead?.id + 201)).toBe(409);
    expect(await redelivery(platform, dead?.id)).toBe(200);
  });

  test('drops in the same way what was performed and is no message, from the first', async () => {
    const bells: Family = {
      routes: [
        route('POST /v2/bells', { status: 204 }, ({ body }, account) => {
          Array.from({ length: Number(body.count) }, () => account.post('bell', {}));
          return undefined;
        }),
      ],
      effects: { bell: async () => () => {} },
    };
    await using platform = await emptyPlatform({ families: [bells] });
    const ring = async (count: number): Promise<void> => {
      await platform.post('/v2/bells', { count });
      await platform.post('/_emulator/snapshots', { name: 'all-of-them-were-performed' });
    };
    await ring(1099);
    const [first, ...others] = await outbox(platform);
    expect([first?.state, others.length]).toEqual(['done', 999]);
    expect(await redelivery(platform, first?.id - 1)).toBe(409);
    // One that was forgotten is one fewer to be dropped.
    await platform.del(`/_emulator/outbox/${first?.id}`);
    await ring(1);
    expect(await redelivery(platform, first?.id - 1)).toBe(409);
    await ring(1);
    expect(await redelivery(platform, first?.id - 1)).toBe(404);
  });

  test('forgets an entry on demand, but for one that is on its way', async () => {
    let status = 410;
    await using receiver = await chatReceiver((_delivery, response) => response.writeHead(status).end());
    await using platform = await emptyPlatform();
    await busyDroplet(platform, { chat: [receiver.url], mail: ['robin@example.com'] });
    await advance(platform, '5m');
    const [dead, kept] = await outbox(platform);
    expect([dead?.state, kept?.state]).toEqual(['dead', 'kept']);
    status = 500;
    await platform.post(`/_emulator/outbox/${dead?.id}/redeliver`);
    await platform.post('/_emulator/snapshots', { name: 'what-is-on-its-way-arrives-first' });
    expect((await platform.del(`/_emulator/outbox/${dead?.id}`)).body.message).toBe(
      `The entry ${dead?.id} of the outbox is waiting; it can be deleted once it is delivered or dead.`,
    );
    expect((await platform.del(`/_emulator/outbox/${kept?.id}`)).status).toBe(204);
    expect((await outbox(platform)).map(({ id }) => id)).toEqual([dead?.id]);
    expect((await platform.del(`/_emulator/outbox/${kept?.id}`)).status).toBe(404);
  });

  test('knows an entry by its id as it is written, and by nothing that stands for the same number', async () => {
    await using platform = await emptyPlatform();
    await busyDroplet(platform, { mail: ['robin@example.com'] });
    await advance(platform, '5m');
    const [{ id }] = await outbox(platform);
    for (const other of [`${id}e0`, `0x${id.toString(16)}`, `0${id}`, `%20${id}`, `${id}.0`, `+${id}`]) {
      const { status, body } = await platform.del(`/_emulator/outbox/${other}`);
      expect([other, status, body.message]).toEqual([other, 404, expect.stringMatching(/^There is no entry "/)]);
      expect((await platform.post(`/_emulator/outbox/${other}/redeliver`)).status).toBe(404);
    }
    expect((await platform.del(`/_emulator/outbox/${id}`)).status).toBe(204);
  });
});
