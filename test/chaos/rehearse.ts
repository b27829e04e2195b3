import { hintsOf } from '../../lib/catalogue/tool.ts';
import { everyTool } from '../support/call-of.ts';
import { type Lane, unhurriedMs } from './lane.ts';

/** A tool's call as it goes when nothing goes wrong. */
export interface Rehearsed {
  readonly given: object;
  /** The result as JSON. */
  readonly result: string;
  /** The platform's reply to it has no body that could be spoilt. */
  readonly repliesNothing: boolean;
  /** It reads before it writes, or does nothing else. */
  readonly reads: boolean;
}

/** Makes every call once. Errors: one that does not succeed. */
export async function rehearse(calls: ReadonlyMap<string, object>, lane: Lane): Promise<ReadonlyMap<string, Rehearsed>> {
  const rehearsed = new Map<string, Rehearsed>();
  for (const [name, given] of calls) {
    lane.account.forgetRequests();
    const { json, text } = (await lane.call(name, given, 'JSON', unhurriedMs)).answer;
    if (json.isError !== false) throw new Error(`${name} fails on the stage: ${text}`);
    const reads = lane.account.requests({ method: 'GET' }).length > 0;
    rehearsed.set(name, { given, result: JSON.stringify(json.result), repliesNothing: json.result.done === true, reads });
    if (!hintsOf(everyTool.tool(name)).readOnly) await lane.restore();
  }
  return rehearsed;
}
