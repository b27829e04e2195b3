import { setTimeout } from 'node:timers/promises';

const patienceMs = 10_000;

/** How many activations of a namespace are recorded. */
export async function recordedOf(apihost: string, auth: string): Promise<number> {
  const headers = { authorization: `Basic ${btoa(auth)}` };
  const reply = await fetch(`${apihost}/api/v1/namespaces/_/activations?count=true`, { headers });
  // Safe: what the host answers to a count.
  return ((await reply.json()) as { readonly activations: number }).activations;
}

/** An activation is recorded when its log is complete, which may be after its caller has the answer: they are waited for. */
export async function recordedBy(count: () => Promise<number>, wanted: number): Promise<number> {
  const until = performance.now() + patienceMs;
  while ((await count()) < wanted && performance.now() < until) await setTimeout(50);
  return count();
}
