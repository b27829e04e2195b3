import { hooksFunction } from './sender.ts';

/** What an instance is told to do: a hook, its settings, and one delivery that it is to take so many times. */
export interface InstanceOrder {
  readonly text: string;
  readonly environment: Readonly<Record<string, string>>;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  readonly times: number;
}

/** How many deliveries were answered how. */
export type Counts = Readonly<Record<string, number>>;

const atOnce = 50;

// A process of its own, as the instances of a function are: it says that it is ready, is told what to do, and says what came of it.
process.once('message', async (order: InstanceOrder) => {
  const { send } = hooksFunction(order.text, order.environment);
  const counts: Record<string, number> = {};
  let left = order.times;
  const sender = async () => {
    while (left > 0) {
      left -= 1;
      const answer = await taken(send, order);
      counts[answer] = (counts[answer] ?? 0) + 1;
    }
  };
  await Promise.all(Array.from({ length: atOnce }, sender));
  process.send?.(counts, () => process.exit());
});
process.send?.('ready');

/** Sends a delivery until it is taken: a store that is slow to open asks for it again. */
async function taken(send: ReturnType<typeof hooksFunction>['send'], { body, headers }: InstanceOrder): Promise<string> {
  for (;;) {
    const { status, json } = await send('/target', { body, headers });
    if (status !== 503) return `${status} ${json.status}`;
  }
}
