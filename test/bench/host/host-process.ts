import { createInterface } from 'node:readline';
import { setTimeout } from 'node:timers/promises';
import { queryObjects } from 'node:v8';
import { type HostOptions, startHost } from '../../../lib/host/start-host.ts';

/** What a host holds while nothing is asked of it, after collection. Bytes, but `objects`, which counts all there are. */
export interface Holdings {
  readonly rss: number;
  readonly heapUsed: number;
  readonly external: number;
  readonly objects: number;
}

/** What has been closed is let go of in a later turn, and what that held in the collection after: one would count what is on its way out. */
const collections = 4;
const collectEveryMs = 25;

// A host as a process of its own, without the platform's limit on calls; its options come as JSON. On each line of stdin it tells what it
// holds (with --expose-gc); at the end of stdin it closes, and ends by itself if it left nothing open.
const options: HostOptions = JSON.parse(process.argv[2] ?? '{}');
const host = await startHost({ callsPerMinute: Number.POSITIVE_INFINITY, ...options });
say({ ...host });

createInterface(process.stdin)
  .on('line', async () => say(await holdings()))
  .on('close', () => host.close());

async function holdings(): Promise<Holdings> {
  for (let n = 0; n < collections; n += 1) {
    globalThis.gc?.();
    await setTimeout(collectEveryMs);
  }
  const objects = queryObjects(Object, { format: 'count' });
  const { rss, heapUsed, external } = process.memoryUsage();
  return { rss, heapUsed, external, objects };
}

function say(message: object): void {
  process.stdout.write(`${JSON.stringify(message)}\n`);
}
