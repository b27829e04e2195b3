import { hintsOf } from '../../lib/catalogue/tool.ts';
import { nextOf, type Said, saidBy } from './answer.ts';
import { type Cell, isWrite, methodStruck, reserveMs } from './cell.ts';
import type { Ending } from './faults.ts';
import type { Called, Lane } from './lane.ts';
import type { Rehearsed } from './rehearse.ts';
import { misled, type Untouched } from './truth.ts';
import type { Turns } from './turns.ts';

/** What came of a cell. */
export interface Outcome {
  readonly cell: Cell;
  readonly ending: Ending;
  /** What was left of the budget when the answer came, time in which the machine did something else aside; negative: it came too late. */
  readonly spareMs: number;
  /** The time ran out before the call could see what goes wrong: the machine was too slow to tell. */
  readonly ranOut: boolean;
  /** What was not held. */
  readonly broken: readonly string[];
}

/** What the cells of a sweep share. */
export interface Stand {
  readonly rehearsed: ReadonlyMap<string, Rehearsed>;
  readonly untouched: Untouched;
  /** Has what needs no hurry done by one lane after the other, so that it holds up no call. */
  readonly unhurried: Turns;
}

/** Has a call go wrong as its cell says, and looks whether everything was held. The lane is as before then. */
export async function hold(cell: Cell, lane: Lane, stand: Stand): Promise<Outcome> {
  const { tool, struck, trouble, budgetMs, protocol } = cell;
  const rehearsed = stand.rehearsed.get(tool.name);
  if (!rehearsed) throw new Error(`${tool.name} was not rehearsed`);
  const given = { ...rehearsed.given, ...(struck === 'wait' && { Wait: true }) };
  const description = trouble.fault(budgetMs);
  if (description) lane.account.faults.add({ ...description, method: methodStruck(cell) });
  const called = await lane.call(tool.name, given, protocol, budgetMs);
  const said = saidBy(cell, called.answer);
  lane.account.faults.clear();
  await arrived(cell, said, lane);
  return stand.unhurried(() => examined(cell, { called, said, rehearsed }, lane, stand));
}

interface Seen {
  readonly called: Called;
  readonly said: Said;
  readonly rehearsed: Rehearsed;
}

async function examined(cell: Cell, seen: Seen, lane: Lane, stand: Stand): Promise<Outcome> {
  const { called, said, rehearsed } = seen;
  const writes = lane.writes();
  const happened = writes.some(({ status }) => status !== null && status < 300);
  const spareMs = cell.budgetMs - called.tookMs + called.starvedMs;
  const wanted = endingOf(cell, rehearsed);
  const isRight = said.ending === wanted;
  const ranOut = !isRight && ranOutOfTime(cell, called, said);
  const broken = [
    ...said.flaws,
    ...(spareMs < 0 ? [`the answer came ${Math.round(-spareMs)} ms after the deadline`] : []),
    ...(isRight || ranOut
      ? []
      : [`after ${Math.round(called.tookMs)} ms ${said.ending} in place of ${wanted}: ${JSON.stringify(said.content.message)}`]),
    ...wrongDetails(cell, said, rehearsed),
    ...(cell.struck === 'wait' && said.ending === 'ok' && isUnderWay(cell, rehearsed) && nextOf(said.content).length === 0
      ? ['what is still under way cannot be asked after']
      : []),
    ...(writes.length > 1 ? [`the platform got ${writes.length} writes`] : []),
    ...denied(cell, said, happened),
    ...(isWrite(cell) && leavesOpen(said) && said.flaws.length === 0
      ? await misled(cell, rehearsed.given, { next: nextOf(said.content), happened }, lane, stand.untouched)
      : []),
  ];
  if (writes.length > 0 || leavesOpen(said)) await lane.restore();
  lane.account.forgetRequests();
  return { cell, ending: said.ending, spareMs, ranOut, broken };
}

/** What was sent in vain may arrive, and take effect, after the call was answered: it is waited for. */
async function arrived({ trouble, budgetMs }: Cell, { ending }: Said, lane: Lane): Promise<void> {
  if (budgetMs <= reserveMs || (ending !== 'outcome_unknown' && ending !== 'deadline_exceeded')) return;
  await lane.settle();
  const heldBackMs = trouble.fault(budgetMs)?.delayMs;
  if (heldBackMs === undefined || ending === 'deadline_exceeded') return;
  const until = performance.now() + heldBackMs + patienceMs;
  while (lane.writes().length === 0 && performance.now() < until) await new Promise((resolve) => setTimeout(resolve, 10));
}

const patienceMs = 5000;

/** Failures after which a caller does not know whether it happened. */
function leavesOpen({ ending }: Said): boolean {
  return ending === 'outcome_unknown' || ending === 'platform_error';
}

/** Says that nothing happened, and it did; or the other way round. */
function denied(cell: Cell, said: Said, happened: boolean): readonly string[] {
  if (!isWrite(cell) || leavesOpen(said) || (said.ending === 'ok') === happened) return [];
  return [happened ? `${said.ending}, and it happened` : 'a success, and nothing happened'];
}

/** Whether what the call sets going takes its time. The clock of the stage stands still, so nothing ends. */
function isUnderWay({ tool }: Cell, { result }: Rehearsed): boolean {
  const { items, ...record } = JSON.parse(result);
  const started: readonly { readonly status?: string }[] = items ?? [record];
  return started.some(({ status }) => status !== undefined && tool.follow?.pending.includes(status.toLowerCase()));
}

/** Time may run out before anything else is seen, or before it could pass; then that is what has to be told. */
function ranOutOfTime(cell: Cell, { tookMs }: Called, { ending }: Said): boolean {
  const { trouble, budgetMs } = cell;
  const leftMs = budgetMs - reserveMs - timerMs - tookMs;
  const told = isWrite(cell) ? ['outcome_unknown', 'deadline_exceeded'] : ['deadline_exceeded'];
  const tooLateToPass = ending === trouble.read && leftMs <= (trouble.readPassesMs ?? 0);
  return budgetMs > reserveMs && ((leftMs <= 0 && told.includes(ending)) || tooLateToPass);
}

/** Timers may fire this much early. */
const timerMs = 2;

function endingOf({ struck, trouble, budgetMs }: Cell, { repliesNothing }: Rehearsed): Ending {
  const allowedMs = budgetMs - reserveMs;
  if (allowedMs <= 0) return 'deadline_exceeded';
  // What is waited for was done: that it cannot be looked at is no failure.
  if (struck === 'wait') return 'ok';
  if (struck === 'read') return passes(trouble.readPassesMs, allowedMs) ? 'ok' : trouble.read;
  return (trouble.ofBody && repliesNothing) || passes(trouble.writePassesMs, allowedMs) ? 'ok' : trouble.write;
}

function passes(afterMs: number | undefined, allowedMs: number): boolean {
  return afterMs !== undefined && allowedMs > afterMs;
}

function wrongDetails({ tool, trouble, struck, protocol }: Cell, { ending, content }: Said, { result }: Rehearsed): readonly string[] {
  const wanted = trouble.retryAfterMs;
  if (ending === 'rate_limited' && struck !== 'wait' && content.retryAfterMs !== wanted)
    return [`it says to come back in ${String(content.retryAfterMs)} ms in place of ${wanted}`];
  // A model's result is cut to what a model takes.
  const differs = ending === 'ok' && protocol === 'JSON' && hintsOf(tool).readOnly && JSON.stringify(content) !== result;
  return differs ? ['the result is not what it is without a fault'] : [];
}
