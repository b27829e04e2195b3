import { hooksFunction } from './sender.ts';

/** What an instance is told to do: a hook, its settings, and a delivery that it is to take under each of these ids. */
export interface InstanceOrder {
  readonly text: string;
  readonly environment: Readonly<Record<string, string>>;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  readonly ids: readonly string[];
}

/** How many deliveries were answered how. */
export type Counts = Readonly<Record<string, number>>;

const atOnce = 50;

// A process of its own, as the instances of a function are: it says that it is ready, and of each thing that it is told to do what came of it.
process.on('message', async (order: InstanceOrder) => {
  const { send } = hooksFunction(order.text, order.environment);
  const counts: Record<string, number> = {};
  const left = [...order.ids];
  const sender = async () => {
    for (let id = left.shift(); id !== undefined; id = left.shift()) {
      const answer = await taken(send, order, id);
      counts[answer] = (counts[answer] ?? 0) + 1;
    }
  };
  await Promise.all(Array.from({ length: atOnce }, sender));
  process.send?.(counts);
});
process.send?.('ready');

/** Sends a delivery until it is taken: a store that is slow to open asks for it again. */
async function taken(send: ReturnType<typeof hooksFunction>['send'], { body, headers }: InstanceOrder, id: string): Promise<string> {
  for (;;) {
    const { status, json } = await send('/target', { body, headers: { ...headers, 'x-github-delivery': id } });
    if (status !== 503) return `${status} ${json.status}`;
  }
}
