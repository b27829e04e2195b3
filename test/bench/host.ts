import { coldRows } from './host/cold.ts';
import { warmRows } from './host/warm.ts';
import type { Row } from './row.ts';

export interface HostBenchOptions {
  readonly rounds?: number;
  readonly requestsPerRound?: number;
}

/** Measures the host: warm calls of an empty function, by one caller and by many, and cold starts of every kind over its bare Node. */
export async function run({ rounds = 15, requestsPerRound = 300 }: HostBenchOptions = {}): Promise<readonly Row[]> {
  return [...(await warmRows({ rounds, requests: requestsPerRound })), ...(await coldRows(rounds))];
}
