import { createServer } from 'node:http';
import { setTimeout } from 'node:timers/promises';
import { call, type Running, start } from './emulator.ts';
import type { Effort } from './harness/effort.ts';
import type { Run } from './harness/interleave.ts';
import { type Table, tabulate } from './harness/table.ts';

interface SeenProbe {
  readonly check: string;
  readonly next: string;
}

const INTERVAL_MS = 60_000;
const TIMER_MS = 50;
/** More than an interval, so that each check is probed. */
const FOR_MS = 70_000;

/**
 * Checks of a server in this process, which keeps when each was really asked; the emulator, a process of its own, says when it was due. The control
 * is a timer of this process, at the same time: how late the machine itself is. There is no quick form, since each check is probed once a minute.
 */
export async function run(effort: Effort): Promise<readonly Table[]> {
  const checks = effort.isQuick ? 20 : 1000;
  const askedMs = new Map<string, number[]>();
  const server = createServer(({ url = '' }, response) => {
    const nowMs = now();
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
    const timers = await timersLateMs(FOR_MS);
    const seen: { readonly probes: readonly SeenProbe[] } = JSON.parse(
      await (await call(emulator, token, 'GET', '/_emulator/probes')).text(),
    );
    const late = seen.probes.flatMap(({ check, next }) => latenessMs(Date.parse(next), askedMs.get(paths.get(check) ?? '') ?? []));
    if (askedMs.size < checks) {
      throw new Error(`of ${checks} checks only ${askedMs.size} were probed within ${FOR_MS} ms`);
    }
    return [tableOf(checks, late, timers)];
  } finally {
    await emulator.stop();
    server.closeAllConnections();
    server.close();
  }
}

function tableOf(checks: number, late: readonly number[], timers: readonly number[]): Table {
  const inMs = (values: readonly number[]) => values.map((ms) => ({ ms }));
  const samples = new Map([['timer', inMs(timers)] as const, ['probes', inMs(late)] as const]);
  // Both were measured all the time, so that no turns were taken and nothing moved between them.
  const seen: Run<'timer' | 'probes', 'ms'> = { control: 'timer', rounds: 1, discarded: [], samples };
  const shown = {
    timer: { name: `a timer of ${TIMER_MS} ms, at the same time` },
    probes: { name: 'a probe', mark: { of: 'most', atMost: 1000 } },
  } as const;
  return tabulate(seen, { title: `${checks} checks a minute: how late`, unit: 'ms', metric: 'ms', shown });
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
    const dueMs = now() + TIMER_MS;
    await setTimeout(TIMER_MS);
    late.push(now() - dueMs);
  }
  return late;
}

/** How long after the moments it was due at a probe arrived; the next of them is known, and the others are whole intervals before it. */
function latenessMs(nextMs: number, arrivedMs: readonly number[]): readonly number[] {
  return arrivedMs.map((atMs) => (((atMs - nextMs) % INTERVAL_MS) + INTERVAL_MS) % INTERVAL_MS);
}

/** The time of day as `Date.now()` has it, in fractions of a millisecond. */
function now(): number {
  return performance.timeOrigin + performance.now();
}
