import { hintsOf, type Tool } from '../../lib/catalogue/tool.ts';
import { everyTool } from '../support/call-of.ts';
import type { Next } from './answer.ts';
import type { Cell } from './cell.ts';
import { type Lane, unhurriedMs } from './lane.ts';

/** How things stand where nothing was ever changed: as the stage was set, and an hour later. */
export interface Untouched {
  readonly now: Lane;
  readonly later: Lane;
  /** What has been read there, by the call. */
  readonly seen: Map<string, string>;
}

export const laterBy = '1h';

/**
 * Carries out the calls that a failure names, at once and when everything that was set going is over, and compares what they find with what they find
 * where nothing was changed: a difference means that it happened.
 * @returns what does not lead to the truth
 */
export async function misled(
  { tool }: Cell,
  given: object,
  { next, happened }: { readonly next: readonly Next[]; readonly happened: boolean },
  lane: Lane,
  untouched: Untouched,
): Promise<readonly string[]> {
  if (next.length === 0) return ['no next call leads out'];
  const changing = next.filter((call) => !hintsOf(everyTool.tool(call.tool)).readOnly);
  if (changing.length > 0)
    return changing.every((call) => isTheSame(call, tool, given)) ? failing(changing, lane) : ['next would change something else'];
  const wrong = async (other: Lane, when: string) => {
    const seen = await differs(next, lane, other, untouched.seen);
    const names = next.map((call) => call.tool).join(', ');
    return seen === happened ? [] : [`it ${happened ? 'happened' : 'did not happen'}, which ${names} ${when} does not tell`];
  };
  const atOnce = await wrong(untouched.now, 'at once');
  await lane.account.clock.advance(laterBy);
  return [...atOnce, ...(await wrong(untouched.later, 'an hour later'))];
}

/** Where nothing shows what a call did, the way out is to do it again, which must be harmless. */
function isTheSame(call: Next, tool: Tool, given: object): boolean {
  return hintsOf(tool).idempotent && call.tool === tool.name && JSON.stringify(call.arguments) === JSON.stringify(given);
}

async function failing(next: readonly Next[], lane: Lane): Promise<readonly string[]> {
  const answers = await Promise.all(next.map((call) => lane.call(call.tool, call.arguments, 'JSON', unhurriedMs)));
  return answers.flatMap(({ answer }) => (answer.status === 200 ? [] : [`the call that next repeats: ${answer.text.slice(0, 200)}`]));
}

async function differs(next: readonly Next[], lane: Lane, other: Lane, seen: Map<string, string>): Promise<boolean> {
  for (const call of next) {
    const key = `${other.account.token} ${JSON.stringify(call)}`;
    const usual = seen.get(key) ?? (await reading(call, other));
    seen.set(key, usual);
    if ((await reading(call, lane)) !== usual) return true;
  }
  return false;
}

async function reading(call: Next, lane: Lane): Promise<string> {
  const { json } = (await lane.call(call.tool, call.arguments, 'JSON', unhurriedMs)).answer;
  return JSON.stringify(json.isError ? json.error.code : json.result);
}
