import { runCommand, seedProblem } from '../support/command-line.ts';
import { randomly } from '../support/random.ts';
import { writeProof } from '../support/reliability-page.ts';
import { emulatorRounds } from './emulator-rounds.ts';
import { hostRounds } from './host-rounds.ts';

const subjects = [
  { name: 'emulator', run: emulatorRounds },
  { name: 'host', run: hostRounds },
] as const;

const options = {
  rounds: { type: 'string', default: '200' },
  seed: { type: 'string', default: '1' },
  write: { type: 'boolean', default: false },
} as const;

/**
 * `npm run crash`: kills the emulator and the host by force under load, `--rounds` times each at moments that a seed picks, and looks after each restart whether all that was
 * acknowledged is there. Exits 1 when something is not; `--write` puts the table into docs/reliability.md.
 */
export function main(args: readonly string[]): Promise<number> {
  return runCommand(args, {
    usage: 'npm run crash -- [--rounds 200] [--seed N] [--write]',
    options,
    read({ rounds, seed, write }): Asked | string {
      if (!/^[1-9]\d{0,4}$/.test(rounds)) return `--rounds: expected an integer from 1 to 99999, got ${rounds}`;
      return seedProblem(seed) ?? { rounds: Number(rounds), seed: Number(seed), write };
    },
    run: crash,
  });
}

interface Asked {
  readonly rounds: number;
  readonly seed: number;
  readonly write: boolean;
}

async function crash({ rounds, seed, write }: Asked): Promise<number> {
  const lines: string[] = [];
  let broken = 0;
  for (const { name, run } of subjects) {
    const found = await run(rounds, randomly(seed));
    for (const problem of found.broken) process.stdout.write(`- ${name}, ${problem}\n`);
    broken += found.broken.length;
    lines.push(`| ${name} | ${found.rounds} | ${found.acknowledged.toLocaleString('en')} | ${found.broken.length} |`);
  }
  const text = ['| | killed | writes acknowledged | broken |', '|---|---:|---:|---:|', ...lines].join('\n');
  process.stdout.write(`${text}\n\nSeed ${seed}: ${broken === 0 ? 'nothing was lost' : `${broken} broken, see above`}.\n`);
  if (write && broken === 0) writeProof('crash', `npm run crash -- --rounds ${rounds} --seed ${seed}`, text);
  return broken === 0 ? 0 : 1;
}
