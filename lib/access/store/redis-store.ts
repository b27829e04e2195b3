import { createClient } from '@redis/client';
import type { Store } from './store.ts';

const timeoutMs = 2000;
const longestPauseMs = 3000;

/** What swaps in one step: `0` or `1` and a value stand for what is expected, and for what is to be. */
const swapScript = `
local held = redis.call('GET', KEYS[1])
local expected = ARGV[1] == '1' and ARGV[2] or false
if held ~= expected then return 0 end
if ARGV[3] == '1' then redis.call('SET', KEYS[1], ARGV[4], 'PX', ARGV[5]) else redis.call('DEL', KEYS[1]) end
return 1`;

/** A store in a Redis or Valkey server, over one connection that is kept. Keys begin with `deckhand/`. */
export async function redisStore(url: string): Promise<Store> {
  let connected = false;
  const client = createClient({
    url,
    // What is sent while there is no connection fails at once: nobody waits for a server that is gone.
    disableOfflineQueue: true,
    commandOptions: { timeout: timeoutMs },
    socket: { connectTimeout: timeoutMs, reconnectStrategy: (retries) => connected && Math.min(100 * 2 ** retries, longestPauseMs) },
  });
  // Each failing call tells of it itself.
  client.on('error', () => {});
  await connectedInTime(client);
  connected = true;
  // A kept connection alone should not keep a process from ending.
  client.unref();
  return {
    get: async (key) => (await client.get(`deckhand/${key}`)) ?? undefined,
    async swap(key, expected, next, ttlMs) {
      const given = (value: string | undefined) => (value === undefined ? ['0', ''] : ['1', value]);
      const args = [...given(expected), ...given(next), String(Math.ceil(ttlMs))];
      return (await client.eval(swapScript, { keys: [`deckhand/${key}`], arguments: args })) === 1;
    },
  };
}

/** The client's own limit is for the connection; a server that takes it and then says nothing would be waited for without end. */
async function connectedInTime(client: { connect(): Promise<unknown>; destroy(): void }): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`no word of the server within ${timeoutMs} ms`)), timeoutMs);
  });
  try {
    await Promise.race([client.connect(), late]);
  } catch (failure) {
    client.destroy();
    throw failure;
  } finally {
    clearTimeout(timer);
  }
}
