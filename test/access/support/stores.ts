import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import net from 'node:net';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { pathToFileURL } from 'node:url';

/** A store for a test, and what ends it. */
export interface TestStore {
  readonly url: string;
  end(): Promise<void>;
}

/** A file for a store, in a directory of its own. */
export function fileStore(): TestStore {
  const folder = mkdtempSync(join(tmpdir(), 'deckhand-test-'));
  return {
    url: pathToFileURL(join(folder, 'store.sqlite')).href,
    end: async () => rmSync(folder, { recursive: true, force: true }),
  };
}

/** Whether this machine has a Redis or Valkey server. */
export const redisProgram = ['redis-server', 'valkey-server'].find((name) =>
  (process.env.PATH ?? '').split(delimiter).some((folder) => existsSync(join(folder, name))),
);

export interface RedisServer extends TestStore {
  readonly port: number;
  kill(): Promise<void>;
  /** It takes what it is sent, and does nothing until it is told to go on. */
  fallSilent(): void;
  goOn(): void;
}

/** A Redis server of its own, with a password, that keeps nothing. */
export async function redisStore(program: string, port = 0): Promise<RedisServer> {
  const chosen = port || (await freePort());
  const options = ['--port', String(chosen), '--bind', '127.0.0.1', '--save', '', '--appendonly', 'no', '--requirepass', 'canary-redis'];
  const child = spawn(program, options, { stdio: ['ignore', 'pipe', 'inherit'] });
  await untilReady(child);
  const end = async () => {
    child.kill('SIGKILL');
    if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
  };
  return {
    url: `redis://:canary-redis@127.0.0.1:${chosen}`,
    port: chosen,
    end,
    kill: end,
    fallSilent: () => void child.kill('SIGSTOP'),
    goOn: () => void child.kill('SIGCONT'),
  };
}

async function untilReady(child: ChildProcess): Promise<void> {
  let out = '';
  await new Promise<void>((resolve, reject) => {
    child.stdout?.on('data', (chunk) => {
      out += chunk;
      if (/ready to accept connections/i.test(out)) resolve();
    });
    child.once('exit', (code) => reject(new Error(`the server ended with ${code}: ${out}`)));
  });
}

async function freePort(): Promise<number> {
  const server = net.createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  if (typeof address === 'object' && address) return address.port;
  throw new Error('no port');
}
