import { everyTool } from '../support/call-of.ts';
import { randomly } from '../support/random.ts';
import { type Cell, nameOf, reserveMs, strikable } from './cell.ts';
import { troubles } from './faults.ts';
import type { Rehearsed } from './rehearse.ts';

/** Cells that are carried out together, and on how many lanes. */
export interface Pass {
  readonly cells: readonly Cell[];
  readonly lanes: number;
}

export interface PlanOptions {
  /** Every tool and trouble with one short budget, and some with the others. */
  readonly short: boolean;
  /** What is chosen, and in which order it is done, follows from it. */
  readonly seed: number;
  /** Only cells whose name has this in it. */
  readonly only: string;
}

/** How long calls may take, in milliseconds: from less than what is kept back to answer in, to what nobody wants to wait. */
export const budgets = [50, 300, 600, 1000, 2500, 5000, 10_000] as const;

const shortMs = 1000;

/** What is to be carried out of the tools that were rehearsed. */
export function planned(rehearsed: ReadonlyMap<string, Rehearsed>, { short, seed, only }: PlanOptions): readonly Pass[] {
  const random = randomly(seed);
  const places = [...rehearsed].flatMap(([name, how]) => {
    const tool = everyTool.tool(name);
    return strikable(tool, how).map((struck) => ({ tool, struck }));
  });
  const passes = short ? shortPlan(places, random) : wholePlan(places, random);
  return passes.map(({ cells, lanes }) => ({ cells: shuffled(cells, random).filter((cell) => nameOf(cell).includes(only)), lanes }));
}

type Place = Pick<Cell, 'tool' | 'struck'>;

/**
 * How many lanes calls are made on at once, by budgets up to which: their time is that of one process, which is their platform too. A call that
 * has no more than what is kept back does nothing but answer, and is alone; some with little time keep the machine busy; those with much mostly wait.
 */
const crowds = [
  { over: 0, upTo: reserveMs, lanes: 1 },
  { over: reserveMs, upTo: 600, lanes: 8 },
  { over: 600, upTo: shortMs, lanes: 16 },
  { over: shortMs, upTo: Number.POSITIVE_INFINITY, lanes: 64 },
] as const;

function wholePlan(places: readonly Place[], random: () => number): readonly Pass[] {
  return inPasses(budgets.flatMap((budgetMs) => places.flatMap((place) => everyTrouble(place, budgetMs, random))));
}

function shortPlan(places: readonly Place[], random: () => number): readonly Pass[] {
  const others = budgets.filter((budgetMs) => budgetMs !== shortMs);
  const wholly = places.filter(({ struck }) => struck !== 'wait').flatMap((place) => everyTrouble(place, shortMs, random));
  const sample = places.flatMap((place) => pick(everyTrouble(place, pick(others, random), random), random));
  return inPasses([...wholly, ...sample]);
}

/** Those of one crowd together. */
function inPasses(cells: readonly Cell[]): readonly Pass[] {
  return crowds.map(({ over, upTo, lanes }) => ({ cells: cells.filter(({ budgetMs }) => budgetMs > over && budgetMs <= upTo), lanes }));
}

/** Either protocol has its share of everything. */
function everyTrouble(place: Place, budgetMs: number, random: () => number): readonly Cell[] {
  return troubles.map((trouble) => ({ ...place, trouble, budgetMs, protocol: pick(['JSON', 'MCP'] as const, random) }));
}

function pick<T>(values: readonly T[], random: () => number): T {
  const [value] = values.slice(Math.floor(random() * values.length));
  if (value === undefined) throw new Error('there is nothing to pick from');
  return value;
}

function shuffled<T>(values: readonly T[], random: () => number): readonly T[] {
  return values
    .map((value) => [random(), value] as const)
    .sort(([one], [other]) => one - other)
    .map(([, value]) => value);
}
