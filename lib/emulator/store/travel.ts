import { DAY_MS } from '../calendar.ts';
import { pause, readClock, stopwatch } from '../clock.ts';
import type { Account } from './account.ts';

/** For how long an account that is moved on keeps everybody else waiting, in real time. */
const LONGEST_STRIDE_MS = 20;
/** How far a leap goes at a time, on the account's clock. */
const LEAP_STRIDE_MS = 30 * DAY_MS;

/** Moves an account's clock forward by `spanMs`, from one due row to the next, and waits at each for the effects it had outside. */
export async function advance(account: Account, spanMs: number): Promise<void> {
  const frozen = account.clock.frozenAtMs !== null;
  const targetMs = readClock(account.clock) + spanMs;
  const rested = resting();
  while (account.nextDueMs <= targetMs) {
    const stepMs = Math.max(account.nextDueMs, readClock(account.clock));
    account.stepTo(stepMs, stepMs);
    await account.quiet();
    await rested();
    // Closed meanwhile: what has not come due stays where it is, for the next start.
    if (!account.isOpen) {
      return;
    }
  }
  account.moveClock(Math.max(targetMs, readClock(account.clock)), frozen);
}

/**
 * Sets an account's clock to `atMs`. What is due long before then happens on the way there, a stride at a time, so that others are answered
 * between; what recurs is not made up for. The rest happens at the next request.
 */
export async function leap(account: Account, atMs: number, frozen: boolean): Promise<void> {
  const strideEndMs = (): number => Math.max(account.nextDueMs, readClock(account.clock)) + LEAP_STRIDE_MS;
  const rested = resting();
  for (let stepMs = strideEndMs(); stepMs < atMs; stepMs = strideEndMs()) {
    account.stepTo(stepMs, atMs);
    await rested();
    if (!account.isOpen) {
      return;
    }
  }
  account.moveClock(atMs, frozen);
}

/** Lets others be answered, whenever they have been kept waiting for long enough. */
function resting(): () => Promise<void> {
  let strideMs = stopwatch();
  return async () => {
    if (strideMs() > LONGEST_STRIDE_MS) {
      await pause(0);
      strideMs = stopwatch();
    }
  };
}
