import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Emulator, startEmulator } from '../../lib/emulator/start-emulator.ts';
import { everyTool } from '../support/call-of.ts';
import { type Answered, gateway, type Request } from '../support/gateway.ts';
import { callsOn } from './calls.ts';
import type { Cell } from './cell.ts';
import { troubles } from './faults.ts';
import { hold, type Stand } from './hold.ts';
import { laneOn } from './lane.ts';
import { rehearse } from './rehearse.ts';
import { type Props, stage } from './stage.ts';
import { laterBy } from './truth.ts';
import { turns } from './turns.ts';

let emulator: Emulator;
let honest: Request;
let stand: Stand;
let props: Props;

const awake = { ms: () => 0, end: () => {} };
const laneFor = (request: Request) => laneOn(emulator, { platformUrl: emulator.url, request, starvation: awake });

beforeAll(async () => {
  emulator = await startEmulator();
  honest = gateway({ PLATFORM_API_URL: emulator.url });
  ({ props } = await stage(emulator));
  const [now, later] = [await laneFor(honest), await laneFor(honest)];
  const calls = new Map([...callsOn(props)].filter(([name]) => name === 'key-create'));
  const rehearsed = await rehearse(calls, now);
  await later.account.clock.advance(laterBy);
  stand = { rehearsed, untouched: { now, later, seen: new Map() }, unhurried: turns() };
});
afterAll(() => emulator.close());

it('has a call of every tool, and of nothing else', () => {
  expect(everyTool.names).toHaveLength(158);
  expect([...callsOn(props).keys()].sort()).toEqual([...everyTool.names].sort());
});

type Tamper = (answer: Answered, again: () => Promise<Answered>) => Answered | Promise<Answered>;

/** What is found broken when key-create meets a trouble, and its answer is tampered with, or its budget. */
async function found(name: string, tamper: Tamper, budgetMs?: number): Promise<readonly string[]> {
  const trouble = troubles.find((one) => one.name === name);
  if (!trouble) throw new Error(`there is no trouble ${name}`);
  // What is tampered with is the answer to the call alone, not those to the calls that lead out.
  const dishonest: Request = async (method, path, given) => {
    const sent = budgetMs === undefined ? given : { ...given, context: { ...given?.context, getRemainingTimeInMillis: () => budgetMs } };
    const answer = await honest(method, path, sent);
    return path === '/tools/key-create' ? tamper(answer, () => honest(method, path, sent)) : answer;
  };
  const lane = await laneFor(dishonest);
  const cell: Cell = { tool: everyTool.tool('key-create'), struck: 'write', trouble, budgetMs: 1500, protocol: 'JSON' };
  return (await hold(cell, lane, stand)).broken;
}

const withError = (answer: Answered, changes: object): Answered => ({
  ...answer,
  json: { ...answer.json, error: { ...answer.json.error, ...changes } },
});
const elsewhere = [{ tool: 'account-get-information', arguments: {} }];

it.each(['none', '403', 'slow headers', 'reset before', 'reset after', 'not JSON'])(
  'finds nothing broken in an honest answer to %s',
  async (name) => {
    expect(await found(name, (answer) => answer)).toEqual([]);
  },
);

it.each<readonly [what: string, name: string, tamper: Tamper, complaint: RegExp]>([
  ['another code', '403', (answer) => ({ ...withError(answer, { code: 'conflict' }), status: 409 }), /conflict in place of forbidden/],
  ['a code that there is not', '403', (answer) => withError(answer, { code: 'denied' }), /"denied" is none of the closed set/],
  ['a status that does not fit', '403', (answer) => ({ ...answer, status: 500 }), /HTTP 500 does not fit forbidden/],
  ['no answer', 'none', (answer) => ({ ...answer, json: null }), /no answer to a JSON call/],
  ['a second write', 'none', (_, again) => again(), /the platform got 2 writes/],
  [
    'a denial of what happened',
    'reset after',
    (answer) => ({ ...withError(answer, { code: 'platform_unavailable' }), status: 503 }),
    /platform_unavailable, and it happened/,
  ],
  ['a lost way out', 'reset after', (answer) => withError(answer, { next: undefined }), /no next call leads out/],
  [
    'a way out that tells nothing',
    'reset after',
    (answer) => withError(answer, { next: elsewhere }),
    /it happened, which account-get-information at once does not tell/,
  ],
  [
    'a way out that is no tool',
    'reset before',
    (answer) => withError(answer, { next: [{ tool: 'keys', arguments: {} }] }),
    /next names keys/,
  ],
  [
    'a way out that changes something',
    'reset before',
    (answer) => withError(answer, { next: [{ tool: 'key-delete', arguments: { ID: 1 } }] }),
    /next would change something else/,
  ],
  ['a header that says something else', '429, back in 1 h', (answer) => ({ ...answer, headers: {} }), /Retry-After says undefined/],
  [
    'a wrong time to come back',
    '429, back in 1 h',
    (answer) => withError(answer, { retryAfterMs: 1000 }),
    /come back in 1000 ms in place of 3600000/,
  ],
])('notices %s', async (_, name, tamper, complaint) => {
  expect((await found(name, tamper)).join('; ')).toMatch(complaint);
});

it('notices an answer after the deadline', async () => {
  const broken = await found('no headers in time', (answer) => answer, 10_000);
  expect(broken).toContainEqual(expect.stringMatching(/^the answer came \d+ ms after the deadline$/));
});
