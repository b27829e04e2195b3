import { probeIntervalSeconds } from '../../assumptions.ts';
import { SECOND_MS } from '../../calendar.ts';
import type { Account } from '../../store/account.ts';
import { findVantage, putVantage, type Vantage, vantages } from './vantages.ts';

/** The kind of the due rows that begin a probe, and of the outbox entries that carry it out. */
export const PROBE = 'uptime.probe';

const INTERVAL_MS = probeIntervalSeconds * SECOND_MS;
/** Regions look one after the other, a quarter of the interval apart, and checks that are made at once a little apart. */
const REGION_OFFSET_MS = INTERVAL_MS / 4;
const FIRST_DELAY_MS = SECOND_MS;
/** A probe of which nothing was heard for so long was lost: its effect ended without a result. */
const LOST_MS = 5 * INTERVAL_MS;

/** Has vantages be probed from now on, each every minute; where nothing probes, they rest. */
export function planProbes(account: Account, those: readonly Vantage[]): void {
  const probes = account.machinery.dueHandlers.has(PROBE);
  const spreadMs = probes && those.length > 0 ? spread(account.nextId('uptime.planned') - 1) * REGION_OFFSET_MS : 0;
  for (const [place, vantage] of those.entries()) {
    const firstMs = account.nowMs + FIRST_DELAY_MS + Math.round(spreadMs) + place * REGION_OFFSET_MS;
    putVantage(account, { ...vantage, askedMs: null, nextMs: probes ? planned(account, vantage, firstMs) : null });
  }
}

/**
 * The vantage that a due row has a probe begin for, with its next probe planned; undefined for a row that is left over, and while the probe
 * before it is still on its way. Moments that were missed, because the emulator or the clock was elsewhere, are not made up for.
 */
export function takeTurn(account: Account, ref: string): Vantage | undefined {
  const { nowMs } = account;
  const [checkId = '', region = ''] = ref.split(' ');
  const vantage = findVantage(account, checkId, region);
  if (vantage === undefined || vantage.nextMs !== nowMs) {
    return undefined;
  }
  const missed = Math.floor(Math.max(0, account.settledToMs - nowMs) / INTERVAL_MS);
  const next = { ...vantage, nextMs: planned(account, vantage, nowMs + (missed + 1) * INTERVAL_MS) };
  const isBusy = vantage.askedMs !== null && Math.abs(nowMs - vantage.askedMs) < LOST_MS;
  const turn = isBusy ? next : { ...next, askedMs: nowMs };
  putVantage(account, turn);
  return isBusy ? undefined : turn;
}

/** Plans what is to be probed and has no plan that holds: the account was last open where nothing probes, or its clock was set back. */
export function planForgotten(account: Account): void {
  const forgotten = vantages(account).filter(
    (vantage) =>
      vantage.pausedMs === null &&
      (vantage.nextMs === null ||
        vantage.nextMs > account.nowMs + 2 * INTERVAL_MS ||
        !account.isScheduled(vantage.nextMs, PROBE, refOf(vantage))),
  );
  for (const checkId of new Set(forgotten.map((vantage) => vantage.checkId))) {
    const ofCheck = forgotten.filter((vantage) => vantage.checkId === checkId);
    planProbes(account, ofCheck);
  }
}

function planned(account: Account, vantage: Vantage, atMs: number): number {
  account.schedule(atMs, PROBE, refOf(vantage));
  return atMs;
}

function refOf({ checkId, region }: Vantage): string {
  return `${checkId} ${region}`;
}

/** Numbers from 0 to 1 that keep their distance from each other, however many there are: the multiples of the golden ratio. */
function spread(serial: number): number {
  return (serial * 0.618_033_988_749_895) % 1;
}
