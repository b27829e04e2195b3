import { setTimeout } from 'node:timers/promises';
import { queryObjects } from 'node:v8';

/** What a process holds while nothing is asked of it, after collection. Bytes; `objects` counts all there are, and `resources` what keeps the event loop waiting. */
export interface Holdings {
  readonly rss: number;
  readonly heapUsed: number;
  readonly external: number;
  readonly objects: number;
  readonly resources: number;
}

/** What has been closed is let go of in a later turn, and what that held in the collection after: one would count what is on its way out. */
const collections = 4;
const collectEveryMs = 25;

/** What this process holds; collected where it runs with `--expose-gc`. */
export async function holdings(): Promise<Holdings> {
  for (let n = 0; n < collections; n += 1) {
    globalThis.gc?.();
    await setTimeout(collectEveryMs);
  }
  const objects = queryObjects(Object, { format: 'count' });
  const { rss, heapUsed, external } = process.memoryUsage();
  return { rss, heapUsed, external, objects, resources: process.getActiveResourcesInfo().length };
}
