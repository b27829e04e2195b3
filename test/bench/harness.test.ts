import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { type Effort, full } from './harness/effort.ts';
import { interleave } from './harness/interleave.ts';
import { onOneCore } from './harness/one-core.ts';
import { processorMs } from './harness/process-stat.ts';
import { joined, type Mark, type Table, tabulate } from './harness/table.ts';
import { toMarkdown } from './report/markdown.ts';
import { writePage } from './report/page.ts';
import { lastColumn, type Measured, merged } from './report/record.ts';

const effort = (repeats = 2): Effort => ({ rounds: 2, repeats, repeating: { leftMs: 60_000 }, isQuick: false });

/** Measures a control and a subject that take, in turn, what is given; the first of each warms up. */
function measure({ control, ours }: { readonly control: readonly number[]; readonly ours: readonly number[] }, { repeats = 2 } = {}) {
  const order: string[] = [];
  const taking = (name: string, values: readonly number[]) => {
    const left = [...values];
    return async () => {
      order.push(name);
      return { ms: left.length > 1 ? (left.shift() ?? 0) : (left[0] ?? 0) };
    };
  };
  const measures = { control: taking('control', control), ours: taking('ours', ours) };
  const run = interleave(effort(repeats), { title: 'a test', control: 'control', watched: 'ms', measures });
  return run.then((seen) => ({ seen, order }));
}

async function tableOf(values: Parameters<typeof measure>[0], mark: Mark<'control' | 'ours'>): Promise<Table> {
  const { seen } = await measure(values);
  const shown = { control: { name: 'bare' }, ours: { name: 'ours', mark } };
  return tabulate(seen, { title: 'A table', unit: 'ms', metric: 'ms', shown });
}

describe('what is measured side by side', () => {
  it('takes turns forwards and backwards, after one that warms up', async () => {
    const { order } = await measure({ control: [1], ours: [2] });
    const round = ['control', 'ours', 'ours', 'control'];
    expect(order).toEqual(['control', 'ours', ...round, ...round]);
  });

  it('takes at least seven rounds of everything that is written down', () => {
    expect(full.rounds).toBeGreaterThanOrEqual(7);
  });

  it('keeps a run whose control moved by 15 %', async () => {
    const { seen } = await measure({ control: [9, 100, 100, 115, 115], ours: [2] });
    expect(seen.moved).toBeCloseTo(0.15);
    expect(seen.discarded).toEqual([]);
  });

  it('discards a run whose control moved further, and tells how far', async () => {
    const { seen } = await measure({ control: [9, 100, 100, 130, 130, 50], ours: [2] });
    expect(seen.moved).toBe(0);
    expect(seen.discarded).toEqual([expect.closeTo(0.3)]);
    expect(seen.samples.get('control')).toEqual(Array(4).fill({ ms: 50 }));
  });

  it('keeps the calmest of as many runs as it may take', async () => {
    const { seen } = await measure({ control: [9, 1, 1, 2, 2, 10, 10, 12, 12, 1, 1, 3, 3, 1], ours: [2] });
    expect(seen.moved).toBeCloseTo(0.2);
    expect(seen.discarded).toEqual([1, 2]);
  });

  it('begins no run again that takes longer than what is left for it', async () => {
    const none: Effort = { ...effort(), repeating: { leftMs: 0 } };
    const values = [9, 1, 1, 2, 2];
    const control = async () => ({ ms: values.shift() ?? Number.NaN });
    const seen = await interleave(none, { title: 'a test', control: 'control', watched: 'ms', measures: { control } });
    expect([seen.moved, seen.discarded]).toEqual([1, []]);
  });
});

describe('what a table says', () => {
  it('forms ratios round by round, so that a machine that slows down changes none', async () => {
    const table = await tableOf({ control: [9, 10, 10, 11, 11], ours: [9, 20, 20, 22, 22] }, { of: 'ratio', atMost: 1.9 });
    expect(table.lines[1]).toMatchObject({ measured: { median: 21, least: 20, most: 22 }, overControl: { median: 2, least: 2, most: 2 } });
    expect(toMarkdown(table)).toContain('| ours | 21 ms (20-22) | 2x | 2x of bare | <= 1.9x | **missed** |');
  });

  it.each<[Mark<'control' | 'ours'>, string]>([
    [{ of: 'difference', atMost: 20 }, '20 ms over bare | <= 20 ms | reached'],
    [{ of: 'value', atMost: 29 }, '30 ms | <= 29 ms | **missed**'],
    [{ of: 'most', atMost: 30 }, 'at most 30 ms | <= 30 ms | reached'],
    [{ of: 'ratio', atLeast: 3.1 }, '3x of bare | >= 3.1x | **missed**'],
  ])('judges by %s', async (mark, text) => {
    expect(toMarkdown(await tableOf({ control: [10], ours: [30] }, mark))).toContain(`| ${text} |`);
  });
});

describe('what was measured on a restless machine', () => {
  const restless = { control: [9, 10, 10, 20, 20], ours: [9, 40, 40, 80, 80] } as const;
  const steady = { control: [10], ours: [30] } as const;
  const tableNamed = async (name: string, values: Parameters<typeof measure>[0]): Promise<Table> => {
    const { seen } = await measure(values, { repeats: 0 });
    const shown = { control: { name: 'bare' }, ours: { name, mark: { of: 'ratio', atMost: 3 } } } as const;
    return tabulate(seen, { title: name, unit: 'ms', metric: 'ms', shown });
  };

  it('is no verdict, and counts neither as reached nor as missed', async () => {
    const [moved, calm] = [await tableNamed('restless', restless), await tableNamed('steady', steady)];
    expect(toMarkdown(moved)).toContain('| 4x of bare | <= 3x | unsteady |');
    const { page, verdicts } = await pageOf([moved, calm]);
    expect(page).toContain('1 of 2 marks are reached, 0 are missed; 1 are unsteady and count for neither.');
    expect(verdicts).toContain('unsteady');
  });

  it('says nothing of the lines of the same table that have another control', async () => {
    const table = joined('Both', [await tableNamed('restless', restless), await tableNamed('steady', steady)]);
    const text = toMarkdown(table);
    expect(text).toContain(
      'each line has a control of its own, which moved by 0 % to 100 %, for 1 of 2 more than the 15 % of a steady run.',
    );
    expect(text).toMatch(/^\| restless \| .* \| unsteady \|$/m);
    expect(text).toMatch(/^\| steady \| .* \| reached \|$/m);
  });
});

it('what was measured all at once does not tell how steady its control was', async () => {
  const { seen } = await measure({ control: [10], ours: [30] });
  const { moved: _, ...unwatched } = seen;
  const shown = { control: { name: 'bare' }, ours: { name: 'ours', mark: { of: 'most', atMost: 30 } } } as const;
  const text = toMarkdown(tabulate(unwatched, { title: 'A table', unit: 'ms', metric: 'ms', shown }));
  expect(text).toContain('in no rounds; how far the control moved was not watched.');
  expect(text).not.toContain('%');
  expect(text).toContain('| reached |');
});

/** The page and the plot of verdicts of these tables. */
async function pageOf(tables: readonly Table[]): Promise<{ readonly page: string; readonly verdicts: string }> {
  const dir = mkdtempSync(join(tmpdir(), 'deckhand-test-'));
  onTestFinished(() => rmSync(dir, { recursive: true, force: true }));
  const section = { name: 'one', title: 'One', date: '2026-01-02', machine: 'any', command: 'npm run bench', tables };
  await writePage(dir, { sections: [section] });
  return { page: readFileSync(join(dir, 'performance.md'), 'utf8'), verdicts: readFileSync(join(dir, 'performance/verdicts.svg'), 'utf8') };
}

/** How many cores a process has that is started now. */
function coresOfAChild(): number {
  return Number(
    execFileSync(process.execPath, ['--eval', 'process.stdout.write(String(os.availableParallelism()))'], { encoding: 'utf8' }),
  );
}

describe.skipIf(spawnSync('taskset', ['--version']).status !== 0)('what is measured on one core', () => {
  it('has one core for it and all that it starts, and all of them again after it, however it ends', async () => {
    const before = coresOfAChild();
    expect(await onOneCore(async () => coresOfAChild())).toBe(1);
    expect(coresOfAChild()).toBe(before);
    await expect(onOneCore(() => Promise.reject(new Error('no measure')))).rejects.toThrow('no measure');
    expect(coresOfAChild()).toBe(before);
  });
});

describe('what was written down', () => {
  const measuredAs = async (ours: number, control: number): Promise<Measured> => {
    const table = await tableOf({ control: [control], ours: [ours] }, { of: 'value', atMost: 1 });
    return { name: 'one', title: 'One', date: '2026-01-02', machine: 'any', command: 'npm run bench', tables: [table] };
  };

  it('is compared by what is left when the machine is taken out', async () => {
    const [last, now] = [await measuredAs(10, 1), await measuredAs(40, 2)];
    const [column] = now.tables.flatMap((table) => lastColumn(last, table));
    expect(column?.head).toBe('of that of 2026-01-02');
    expect(now.tables[0]?.lines.map((line) => column?.of(line))).toEqual(['', '2x']);
  });

  it('stays when a section could not be measured again, and says so', async () => {
    const last = await measuredAs(10, 1);
    const failed = { ...last, date: '2026-01-03', tables: [], failed: 'no disk' };
    expect(merged({ sections: [last] }, [failed], ['one'])).toEqual({ sections: [{ ...last, failed: 'no disk' }] });
  });

  it('keeps the sections that were not measured, in the order of the page', async () => {
    const one = await measuredAs(10, 1);
    const two = { ...one, name: 'two' };
    expect(merged({ sections: [two] }, [one], ['one', 'two'])).toEqual({ sections: [one, two] });
  });
});

describe.skipIf(process.platform !== 'linux')('the processor time of a process', () => {
  it('is what it has taken itself, with all of its threads', () => {
    const takenMs = (): number => (process.cpuUsage().user + process.cpuUsage().system) / 1000;
    const leastMs = takenMs() - 2 * TICK_MS;
    const seenMs = processorMs(process.pid);
    expect(seenMs).toBeGreaterThanOrEqual(leastMs);
    expect(seenMs).toBeLessThanOrEqual(takenMs() + 2 * TICK_MS);
  });

  it('is not known of one that is none', () => {
    expect(processorMs(2 ** 31 - 1)).toBeUndefined();
  });
});

const TICK_MS = 10;
