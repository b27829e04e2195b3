import { setTimeout as wait } from 'node:timers/promises';
import { type NamespaceClient, PAGE } from '../api/namespace-client.ts';
import { ApiError } from '../api/send.ts';
import type { Activation } from '../api/wire.ts';
import { tell } from '../output/print.ts';

const PAUSE_MS = 2000;

/** A function may run that long before its activation appears under the time at which it began (platform reference, limits). */
const LONGEST_RUN_MS = 15 * 60 * 1000;

/**
 * Activations as they end, asked for again and again. The API lists them by when they began: each time everything is asked for that could have
 * ended since, and told apart by its id.
 */
export async function* pollActivations(client: NamespaceClient, name: string | undefined, signal: AbortSignal): AsyncGenerator<Activation> {
  // Times are the host's: those of its newest records, not of this machine's clock.
  const [last] = await client.activations({ name, limit: 1 });
  const before = last ? await summaries(client, name, last.start - LONGEST_RUN_MS) : [];
  let known = new Map(before.map(({ activationId, start }) => [activationId, start]));
  tell(`following ${name ?? 'all functions'} at ${client.origin}, asking every ${PAUSE_MS / 1000} s; Ctrl-C ends it`);
  while (!signal.aborted) {
    await wait(PAUSE_MS, undefined, { signal }).catch(() => undefined);
    if (signal.aborted) return;
    const newest = [...known.values()].reduce((latest, start) => Math.max(latest, start), 0);
    const since = Math.max(0, newest - LONGEST_RUN_MS);
    const listed = await passingOver(() => summaries(client, name, since));
    for (const { activationId, start } of listed.toReversed()) {
      if (known.has(activationId)) continue;
      const activation = await passingOver(async () => [await client.activation(activationId)]);
      if (activation[0]) {
        known.set(activationId, start);
        yield activation[0];
      }
    }
    known = new Map([...known].filter(([, start]) => start >= since));
  }
}

/** Every activation that began since then, newest first. */
async function summaries(client: NamespaceClient, name: string | undefined, since: number): Promise<readonly Activation[]> {
  const found: Activation[] = [];
  for (let skip = 0; ; skip += PAGE) {
    const page = await client.activations({ name, since, skip, limit: PAGE });
    found.push(...page);
    if (page.length < PAGE) return found;
  }
}

/** A host that restarts or is busy is asked again a little later; one that refuses is not. */
async function passingOver<T>(ask: () => Promise<readonly T[]>): Promise<readonly T[]> {
  try {
    return await ask();
  } catch (error) {
    if (error instanceof ApiError && (error.status === 0 || error.status === 429 || error.status >= 500)) return [];
    throw error;
  }
}
