import { get } from 'node:http';
import type { AccountControls, SeenRequest } from '../../lib/emulator/start-emulator.ts';
import type { Answered, Request } from '../support/gateway.ts';
import type { Starvation } from './starvation.ts';

/** What a call came to. */
export interface Called {
  readonly answer: Answered;
  readonly tookMs: number;
  /** Of that, the time in which the machine let this process do nothing. */
  readonly starvedMs: number;
}

/** An account of its own, on which one call is made after the other. */
export interface Lane {
  readonly account: AccountControls;
  /** Calls a tool within a budget. */
  call(tool: string, given: object, protocol: 'JSON' | 'MCP', budgetMs: number): Promise<Called>;
  /** Resolves when what was sent before has arrived, also if nobody waits for its answer any more. */
  settle(): Promise<void>;
  /** The requests that are no reads, since they were last forgotten. */
  writes(): readonly SeenRequest[];
  /** Back to how the stage was set. */
  restore(): Promise<void>;
}

/** What all lanes share. */
export interface Surroundings {
  readonly platformUrl: string;
  /** The gateway before that platform. */
  readonly request: Request;
  readonly starvation: Starvation;
}

const kept = 'stage';

/** A copy of an account, and the gateway to reach it by. */
export async function laneOn(source: AccountControls, { platformUrl, request, starvation }: Surroundings): Promise<Lane> {
  const account = await source.fork();
  await account.snapshots.save(kept);
  const headers = { authorization: `Bearer ${account.token}` };
  const call: Lane['call'] = async (tool, given, protocol, budgetMs) => {
    const starvedBeforeMs = starvation.ms();
    const beganAt = performance.now();
    const elapsedMs = () => performance.now() - beganAt;
    const context = { activationId: activation, getRemainingTimeInMillis: () => budgetMs - elapsedMs() };
    const [path, body] = protocol === 'JSON' ? [`/tools/${tool}`, given] : ['/mcp', message(tool, given)];
    const answer = await request('POST', path, { headers, body, context });
    return { answer, tookMs: elapsedMs(), starvedMs: starvation.ms() - starvedBeforeMs };
  };
  return {
    account,
    call,
    settle: () => answered(`${platformUrl}/v2/account`, headers),
    writes: () => account.requests().filter(({ method }) => method !== 'GET'),
    restore: async () => {
      await account.snapshots.restore(kept);
    },
  };
}

/** A budget that is not to be felt. */
export const unhurriedMs = 25_000;

export const activation = 'a'.repeat(32);

/** A server takes up connections in the order in which they were made: when a new one is answered, what came before it has been read. */
function answered(url: string, headers: Readonly<Record<string, string>>): Promise<void> {
  return new Promise((resolve, reject) => {
    get(url, { headers, agent: false }, (response) => response.resume().once('end', resolve)).once('error', reject);
  });
}

function message(tool: string, given: object): object {
  return { jsonrpc: '2.0', id: tool, method: 'tools/call', params: { name: tool, arguments: given } };
}
