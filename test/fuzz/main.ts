import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { runCommand, seedProblem } from '../support/command-line.ts';
import { writeProof } from '../support/reliability-page.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));

/**
 * `npm run fuzz`: holds every property of test/fuzz for `--times` as many cases as `npm test` does, from a seed that it prints. Exits 1 when one is broken, having shown the
 * least that breaks it; `--write` puts what was held into docs/reliability.md.
 */
export function main(args: readonly string[]): Promise<number> {
  return runCommand(args, {
    usage: 'npm run fuzz -- [--times N] [--seed N] [--write]',
    options: {
      seed: { type: 'string', default: String(Date.now() % 1_000_000) },
      times: { type: 'string', default: '10' },
      write: { type: 'boolean', default: false },
    },
    read({ seed, times, write }): Asked | string {
      if (!(Number(times) > 0 && Number(times) <= 10_000)) return `--times: expected a number above 0, up to 10000, got ${times}`;
      return seedProblem(seed) ?? { seed, times, write };
    },
    run: fuzz,
  });
}

interface Asked {
  readonly seed: string;
  readonly times: string;
  readonly write: boolean;
}

async function fuzz({ seed, times, write }: Asked): Promise<number> {
  const dir = mkdtempSync(join(tmpdir(), 'deckhand-fuzz-'));
  try {
    const tally = join(dir, 'tally.jsonl');
    const env = { ...process.env, FUZZ_SEED: seed, FUZZ_TIMES: times, FUZZ_TALLY: tally };
    const vitest = spawn(process.execPath, [join(root, 'node_modules/vitest/vitest.mjs'), 'run', 'test/fuzz'], {
      cwd: root,
      env,
      stdio: ['ignore', 2, 2],
    });
    const [code] = await once(vitest, 'close');
    const text = report(existsSync(tally) ? readFileSync(tally, 'utf8') : '');
    process.stdout.write(`${text}\n\nSeed ${seed}: ${code === 0 ? 'all of it held' : 'broken, see above'}.\n`);
    if (code === 0 && write) writeProof('fuzz', `npm run fuzz -- --times ${times} --seed ${seed}`, text);
    return code === 0 ? 0 : 1;
  } finally {
    rmSync(dir, { recursive: true, force: true });
  }
}

/** How many cases there were of each subject, as a table. */
function report(tally: string): string {
  const counts = new Map<string, number>();
  for (const line of tally.split('\n').filter((text) => text !== '')) {
    const { subject, cases } = JSON.parse(line);
    counts.set(subject, (counts.get(subject) ?? 0) + cases);
  }
  const rows = [...counts]
    .sort(([one], [other]) => one.localeCompare(other))
    .map(([subject, cases]) => `| ${subject} | ${cases.toLocaleString('en')} |`);
  const all = [...counts.values()].reduce((sum, cases) => sum + cases, 0);
  return ['| | cases |', '|---|---:|', ...rows, '', `**${all.toLocaleString('en')} cases held.**`].join('\n');
}
