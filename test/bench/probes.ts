import { createServer } from 'node:http';
import { setTimeout } from 'node:timers/promises';
import { call, type Running, start } from './emulator.ts';
import type { Row } from './row.ts';
import { spread } from './spread.ts';

export interface ProbeBenchOptions {
  readonly checks?: number;
  /** At least an interval, so that each check is probed. */
  readonly forMs?: number;
}

interface SeenProbe {
  readonly check: string;
  readonly next: string;
}

const INTERVAL_MS = 60_000;
const TIMER_MS = 50;

/**
 * Checks of a server in this process, which keeps when each was really asked; the emulator, a process of its own, says when it was due. The control
 * is a timer of this process: how late the machine itself is.
 */
export async function run({ checks = 1000, forMs = 70_000 }: ProbeBenchOptions = {}): Promise<readonly Row[]> {
  const askedMs = new Map<string, number[]>();
  const server = createServer(({ url = '' }, response) => {
    const nowMs = Date.now();
    askedMs.set(url, [...(askedMs.get(url) ?? []), nowMs]);
    response.end();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  const emulator = await start('../../lib/emulator/main.ts', ['--no-limits']);
  try {
    const made = await call(emulator, emulator.token, 'POST', '/_emulator/accounts', { seed: 'empty' });
    const { token } = JSON.parse(await made.text());
    const paths = await makeChecks(emulator, token, port, checks);
    const timers = await timersLateMs(forMs);
    const seen: { readonly probes: readonly SeenProbe[] } = JSON.parse(
      await (await call(emulator, token, 'GET', '/_emulator/probes')).text(),
    );
    const late = seen.probes.flatMap(({ check, next }) => latenessMs(Date.parse(next), askedMs.get(paths.get(check) ?? '') ?? []));
    if (askedMs.size < checks) {
      throw new Error(`of ${checks} checks only ${askedMs.size} were probed within ${forMs} ms`);
    }
    const ours = spread(late);
    const figure = { of: 'value', value: ours.most, target: 1000, better: 'less' } as const;
    return [
      {
        name: `${checks} checks a minute: how late probes arrive, the latest / a timer`,
        unit: 'ms',
        ours,
        control: spread(timers),
        figure,
      },
    ];
  } finally {
    await emulator.stop();
    server.closeAllConnections();
    server.close();
  }
}

/** Makes the checks, and answers the path that each asks for. */
async function makeChecks(emulator: Running, token: string, port: number, count: number): Promise<ReadonlyMap<string, string>> {
  const paths = new Map<string, string>();
  for (let serial = 0; serial < count; serial += 1) {
    const target = `http://127.0.0.1:${port}/${serial}`;
    const body = { name: `check ${serial}`, type: 'http', target, regions: ['us_east'], enabled: true };
    const reply = JSON.parse(await (await call(emulator, token, 'POST', '/v2/uptime/checks', body)).text());
    paths.set(reply.check.id, `/${serial}`);
  }
  return paths;
}

/** How late a timer of this process is, again and again for a while. */
async function timersLateMs(forMs: number): Promise<readonly number[]> {
  const endMs = Date.now() + forMs;
  const late: number[] = [];
  while (Date.now() < endMs) {
    const dueMs = Date.now() + TIMER_MS;
    await setTimeout(TIMER_MS);
    late.push(Date.now() - dueMs);
  }
  return late;
}

/** How long after the moments it was due at a probe arrived; the next of them is known, and the others are whole intervals before it. */
function latenessMs(nextMs: number, arrivedMs: readonly number[]): readonly number[] {
  return arrivedMs.map((atMs) => (((atMs - nextMs) % INTERVAL_MS) + INTERVAL_MS) % INTERVAL_MS);
}
