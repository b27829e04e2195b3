import { expect } from 'vitest';
import type { Ready } from '../../lib/cli/start/start-options.ts';
import { jsonOf } from '../support/json-of.ts';
import type { StoryClient } from './clients.ts';

// biome-ignore lint/suspicious/noExplicitAny: stories look into results of every shape
export type Result = any;

/** An account of one story alone, with its clock in the story's hands. */
export interface OwnAccount {
  readonly ready: Ready;
  /** Moves the clock on; what comes due on the way happens. */
  advance(time: string): Promise<void>;
  /** What the platform itself says at a path. */
  platform(path: string): Promise<Result>;
}

/** Copies the account of a running installation and stops the copy's clock. */
export async function ownAccount(ready: Ready): Promise<OwnAccount> {
  const control = async (path: string, body: unknown, token: string) => {
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
    const answer = await fetch(`${ready.platform}/_emulator/${path}`, { method: 'POST', headers, body: JSON.stringify(body) });
    expect(answer.ok, `${path}: ${answer.status}`).toBe(true);
    return jsonOf(answer);
  };
  const { token } = await control('fork', {}, ready.token);
  await control('clock', { freeze: true }, token);
  return {
    ready: { ...ready, token },
    advance: async (advance) => void (await control('clock', { advance }, token)),
    platform: (path) => jsonOf(fetch(`${ready.platform}${path}`, { headers: { authorization: `Bearer ${token}` } })),
  };
}

/** Calls that must succeed, or must fail, and say so with what came instead. */
export function expecting(client: StoryClient) {
  return {
    async succeed(tool: string, given: Record<string, unknown> = {}): Promise<Result> {
      const { isError, result } = await client.call(tool, given);
      expect(isError, `${tool}: ${JSON.stringify(result)}`).toBe(false);
      return result;
    },
    async fail(tool: string, given: Record<string, unknown> = {}): Promise<Result> {
      const { isError, result } = await client.call(tool, given);
      expect(isError, `${tool}: ${JSON.stringify(result)}`).toBe(true);
      return result;
    },
  };
}
