import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startEmulator } from '../../lib/emulator/start-emulator.ts';
import { gateway } from '../support/gateway.ts';
import { callsOn } from './calls.ts';
import { hold, type Stand } from './hold.ts';
import { type Lane, laneOn } from './lane.ts';
import { type Pass, type PlanOptions, planned } from './plan.ts';
import { rehearse } from './rehearse.ts';
import { type Props, stage } from './stage.ts';
import { watchStarvation } from './starvation.ts';
import { brokenLine, counting, type Tally } from './tally.ts';
import { laterBy } from './truth.ts';
import { turns } from './turns.ts';

/** A sweep may be shared among processes: each takes every so many of the tools. */
export interface SweepOptions extends PlanOptions {
  readonly share: { readonly index: number; readonly of: number };
}

/** Carries out this share of the sweep, against an emulator of its own. `told` hears how far it is. */
export async function sweep(options: SweepOptions, told: (progress: string) => void): Promise<Tally> {
  const dataDir = mkdtempSync(join(fastDirectory(), 'deckhand-chaos-'));
  const remove = () => rmSync(dataDir, { recursive: true, force: true });
  process.once('exit', remove);
  const unlimited = Number.MAX_SAFE_INTEGER;
  const emulator = await startEmulator({ dataDir, limits: { perMinute: unlimited, perHour: unlimited, keyListsPerMinute: unlimited } });
  const starvation = watchStarvation();
  const request = gateway({ PLATFORM_API_URL: emulator.url, CONFIRM: 'off' });
  try {
    const { account, props } = await stage(emulator);
    const newLane = () => laneOn(account, { platformUrl: emulator.url, request, starvation });
    const stand = await standOn(props, newLane, options);
    return await carriedOut(planned(stand.rehearsed, options), newLane, stand, told);
  } finally {
    starvation.end();
    await emulator.close();
    remove();
    process.off('exit', remove);
  }
}

/** Accounts are put back thousands of times: where there is a place in memory, no disk holds that up. */
function fastDirectory(): string {
  return existsSync('/dev/shm') ? '/dev/shm' : tmpdir();
}

async function standOn(props: Props, newLane: () => Promise<Lane>, { share }: SweepOptions): Promise<Stand> {
  const calls = new Map([...callsOn(props)].filter((_, index) => index % share.of === share.index));
  const [now, later] = [await newLane(), await newLane()];
  const rehearsed = await rehearse(calls, now);
  await later.account.clock.advance(laterBy);
  return { rehearsed, untouched: { now, later, seen: new Map() }, unhurried: turns() };
}

async function carriedOut(
  passes: readonly Pass[],
  newLane: () => Promise<Lane>,
  stand: Stand,
  told: (progress: string) => void,
): Promise<Tally> {
  const total = passes.reduce((sum, { cells }) => sum + cells.length, 0);
  const count = counting();
  const lanes: Lane[] = [];
  const heap: { readonly cells: number; readonly bytes: number }[] = [];
  let done = 0;
  for (const pass of passes) {
    while (lanes.length < pass.lanes) lanes.push(await newLane());
    const left = [...pass.cells];
    const work = async (lane: Lane) => {
      for (let cell = left.pop(); cell; cell = left.pop()) {
        const outcome = await hold(cell, lane, stand);
        count.add(outcome);
        if (outcome.broken.length > 0) told(brokenLine(cell, outcome.broken));
        done += 1;
        if (done % stepCells === 0) heap.push({ cells: done, bytes: heapInUse() });
      }
    };
    await Promise.all(lanes.slice(0, pass.lanes).map(work));
    told(`${done} of ${total} cells`);
  }
  return count.sum(growth(heap));
}

const stepCells = 250;

function heapInUse(): number {
  globalThis.gc?.();
  return process.memoryUsage().heapUsed;
}

/** From a third of the way, when code is compiled and connections stand, to the end. */
function growth(heap: readonly { readonly cells: number; readonly bytes: number }[]): Tally['heap'] {
  const [warm, end] = [heap[Math.floor(heap.length / 3)], heap.at(-1)];
  if (!warm || !end || heap.length < 6) return undefined;
  return { warm: warm.bytes, end: end.bytes, cells: end.cells - warm.cells };
}
