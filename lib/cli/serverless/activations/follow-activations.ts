import { setTimeout as wait } from 'node:timers/promises';
import { functionName } from '../api/function-name.ts';
import type { NamespaceClient } from '../api/namespace-client.ts';
import type { Activation } from '../api/wire.ts';
import { tell } from '../output/print.ts';
import { openEvents } from './open-events.ts';
import { pollActivations } from './poll-activations.ts';

const LONGEST_PAUSE_MS = 5000;

const NONE_YET = '0'.repeat(32);

/**
 * Activations as they end, from now on until the signal: pushed by a host that can (`GET /_local/events`), otherwise asked for again and
 * again. None is lost or comes twice, also across a host's restart. ApiError where the host refuses.
 *
 * @param name `package/function` or `function`; undefined: all
 */
export async function* followActivations(
  client: NamespaceClient,
  name: string | undefined,
  signal: AbortSignal,
): AsyncGenerator<Activation> {
  const wanted = name === undefined ? undefined : functionName(name);
  const [newest] = await client.activations({ limit: 1 });
  // An id that is not kept lies before all that is: where nothing has run yet, everything is new.
  let lastId = newest?.activationId ?? NONE_YET;
  let isConnected = false;
  let failures = 0;
  while (!signal.aborted) {
    const query = { name: wanted, ...(isConnected && { lastId }) };
    const events = await openEvents(client, query, signal).catch((error: unknown) => {
      // A host that was never there is an error; one that went away is waited for.
      if (!isConnected && !signal.aborted) throw error;
      return null;
    });
    if (events === 'unavailable') {
      yield* pollActivations(client, wanted, signal);
      return;
    }
    if (events !== null) {
      tell(failures === 0 ? `following ${wanted ?? 'all functions'} at ${client.origin}; Ctrl-C ends it` : 'connected again');
      failures = 0;
      isConnected = true;
      for await (const { id, activation } of events) {
        lastId = id;
        yield activation;
      }
    }
    if (signal.aborted) return;
    if (failures === 0) tell(`the connection to ${client.origin} ended; waiting for it to come back`);
    failures += 1;
    await wait(Math.min(250 * 2 ** failures, LONGEST_PAUSE_MS), undefined, { signal }).catch(() => undefined);
  }
}
