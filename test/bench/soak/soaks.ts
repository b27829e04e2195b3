import { writeProof } from '../../support/reliability-page.ts';
import { soakHost } from '../host/soak.ts';
import { findingTable } from './finding.ts';
import { soakAll } from './soak-all.ts';

/** What can be run for long. */
export const soaks = { host: soakHost, all: soakAll } as const;

export type Soak = keyof typeof soaks;

export function isSoak(name: string): name is Soak {
  return Object.hasOwn(soaks, name);
}

/**
 * Runs something for so many minutes and prints what was found; the exit code is 1 where something was not held. With `write`, what was found in a soak of everything goes
 * into docs/reliability.md.
 */
export async function soak(name: Soak, minutes: number, write: boolean): Promise<number> {
  const findings = await soaks[name]({ minutes });
  const table = findingTable(findings);
  process.stdout.write(`${table}\n`);
  if (write && name === 'all') writeProof('soak', `npm run bench -- --soak all --minutes ${minutes} --write`, table);
  return findings.every(({ isGood }) => isGood) ? 0 : 1;
}
