import { expect, test } from 'vitest';
import { randomly } from '../support/random.ts';
import { advance, busy, busyDroplet, cpuPolicy, incidents, outbox } from './alerting.ts';
import { dataDirectory, emulatorProcess } from './emulator-process.ts';
import type { Json, Platform } from './platform.ts';
import { chatReceiver } from './receiver.ts';
import { mailServer } from './smtp-server.ts';

const POLICIES = 8;
/** What happens at the receivers until all is told: a chat message arrives and is answered; a mail has a sender, a recipient, and arrives. */
const MOST_THINGS = POLICIES * 5;
const SEEDS = process.env.NOTICE_SEED === undefined ? [1, 2, 3, 4] : [Number(process.env.NOTICE_SEED)];

/** Counts what happens at the receivers, and kills when it has happened so often. */
function doom(): { happened: () => void; after: (things: number, kill: () => void) => void } {
  let left = Number.POSITIVE_INFINITY;
  let strike = (): void => undefined;
  return {
    happened: () => {
      left -= 1;
      if (left === 0) strike();
    },
    after: (things, kill) => {
      left = things;
      strike = kill;
    },
  };
}

/** Works on an emulator until it is killed, at a moment between `work`'s beginning and its end, or after it where the moment never comes. */
async function untilKilled(
  start: () => ReturnType<typeof emulatorProcess>,
  strikes: ReturnType<typeof doom>,
  things: number,
  work: (platform: Platform) => Promise<unknown>,
): Promise<void> {
  const { platform, kill } = await start();
  const killed = new Promise<void>((resolve) => strikes.after(things, () => resolve(kill())));
  // The connection breaks with the process.
  await Promise.race([killed, work(platform).catch(() => killed)]);
  strikes.after(Number.POSITIVE_INFINITY, () => undefined);
  await kill();
}

test.each(SEEDS)(
  'killed twice at moments that seed %i picks, every notice by chat and mail arrives once or is listed as dead',
  async (seed) => {
    const random = randomly(seed);
    const strikes = doom();
    await using data = await dataDirectory();
    await using chat = await chatReceiver((_delivery, response) => {
      strikes.happened();
      response.end('ok', strikes.happened);
    });
    await using mail = await mailServer({
      onMailFrom: (_address, _session, done) => {
        strikes.happened();
        done();
      },
      onRcptTo: (_address, _session, done) => {
        strikes.happened();
        done();
      },
      onAccepted: strikes.happened,
    });
    const start = () => emulatorProcess(data.path, ['--smtp-url', mail.url]);
    const told = (index: number) => ({ chat: [`${chat.url}/${index}`], mail: [`ops-${index}@example.com`] });

    const prepared = await start();
    await prepared.platform.post('/_emulator/clock', { freeze: true, now: '2026-02-10T12:00:00Z' });
    await prepared.platform.post('/_emulator/reset', { seed: 'empty' });
    const { droplet } = await busyDroplet(prepared.platform, told(0));
    for (let index = 1; index < POLICIES; index += 1) {
      await cpuPolicy(prepared.platform, told(index), { entities: [String(droplet.id)] });
    }
    await prepared.kill();

    const things = () => 1 + Math.floor(random() * MOST_THINGS);
    await untilKilled(start, strikes, things(), (platform) => advance(platform, '5m'));
    await untilKilled(start, strikes, things(), async (platform) => {
      await busy(platform, droplet.id, 5);
      await advance(platform, '30m');
    });

    const { platform, kill } = await start();
    try {
      await busy(platform, droplet.id, 5);
      await advance(platform, '4h');
      expect((await incidents(platform)).map(({ status }) => status)).toEqual(Array(POLICIES).fill('recovered'));
      const entries = await outbox(platform);
      // Fired and recovered, by chat and by mail.
      expect(new Set(entries.map(({ key }: Json) => key)).size).toBe(POLICIES * 4);
      expect(entries).toHaveLength(POLICIES * 4);
      expect(entries.filter(({ state }) => state !== 'delivered' && state !== 'dead')).toEqual([]);
      const arrived = [
        ...chat.deliveries.map(({ headers }) => String(headers['idempotency-key'])),
        ...mail.received.map(({ headers }) => (headers['message-id'] ?? '').replace(/^<(.*)@deckhand\.invalid>$/, '$1')),
      ];
      expect(new Set(arrived).size, 'nothing came twice').toBe(arrived.length);
      const dead = entries.filter(({ state }) => state === 'dead').map(({ key }) => key);
      expect(new Set([...arrived, ...dead]), 'each arrived or is listed as dead').toEqual(new Set(entries.map(({ key }) => key)));
    } finally {
      await kill();
    }
  },
  60_000,
);
