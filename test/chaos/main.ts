import { fork } from 'node:child_process';
import { once } from 'node:events';
import { availableParallelism } from 'node:os';
import { fileURLToPath } from 'node:url';
import { runCommand, seedProblem } from '../support/command-line.ts';
import { writeProof } from '../support/reliability-page.ts';
import type { PlanOptions } from './plan.ts';
import type { SweepOptions } from './sweep.ts';
import { heldCount, isHeld, joined, report, type Tally } from './tally.ts';

/**
 * `npm run chaos`: calls every tool while the platform fails it in every way, and prints the verdicts. Exits 1 when something was not held; `--write` puts them into
 * docs/reliability.md. `--short` takes one short budget, and a sample of the others, and `--only` the cells whose name has a text in it.
 */
export function main(args: readonly string[]): Promise<number> {
  return runCommand(args, {
    usage: 'npm run chaos -- [--short] [--seed N] [--only TEXT] [--write]',
    options: {
      write: { type: 'boolean', default: false },
      short: { type: 'boolean', default: false },
      seed: { type: 'string', default: '1' },
      only: { type: 'string', default: '' },
    },
    read: ({ write, short, seed, only }): Asked | string =>
      seedProblem(seed) ?? { write, short, seed: Number(seed), only, line: args.join(' ') },
    run: chaos,
  });
}

interface Asked extends PlanOptions {
  readonly write: boolean;
  /** The arguments as they were given. */
  readonly line: string;
}

async function chaos(asked: Asked): Promise<number> {
  const tally = joined(await sharedOut(asked));
  if (heldCount(tally) === 0 && tally.broken.length === 0) {
    process.stderr.write(
      `--only: no cell has ${JSON.stringify(asked.only)} in its name, which is like "key-create, write meets 502, 1000 ms, JSON"\n`,
    );
    return 1;
  }
  const text = report(tally);
  process.stdout.write(`${[...tally.broken.map((line) => `- ${line}`), text].join('\n')}\n`);
  if (asked.write) writeProof('chaos', `npm run chaos -- ${asked.line}`, text);
  return isHeld(tally) ? 0 : 1;
}

/** One process for every core, so that what one has to do holds up few calls. */
function sharedOut({ short, seed, only }: Asked): Promise<readonly Tally[]> {
  const of = availableParallelism();
  const shares = Array.from({ length: of }, (_, index) => ({ short, seed, only, share: { index, of } }));
  return Promise.all(shares.map(carriedOut));
}

const shareFile = fileURLToPath(new URL('share.ts', import.meta.url));

type Word = { readonly progress: string } | { readonly tally: Tally };

async function carriedOut(options: SweepOptions): Promise<Tally> {
  const child = fork(shareFile, { execArgv: ['--expose-gc'] });
  let tally: Tally | undefined;
  child.on('message', (word: Word) => {
    if ('tally' in word) tally = word.tally;
    else process.stderr.write(`chaos ${options.share.index + 1}/${options.share.of}: ${word.progress}\n`);
  });
  child.send(options);
  const [code] = await once(child, 'exit');
  if (!tally) throw new Error(`a share of the sweep ended with ${code} before it was done`);
  return tally;
}
