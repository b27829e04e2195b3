import { spawn, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The platform's own MCP server, by its name on the registry. */
export const peer = '@digitalocean/mcp';
const version = '1.0.70';
/** Where our tools have their counterparts. */
const services = 'accounts,insights,droplets,databases,networking';
const cacheDir = fileURLToPath(new URL('../../../node_modules/.cache/deckhand-bench', import.meta.url));

export interface OtherOptions {
  /** Whether it may be fetched; otherwise it has to be in the cache. */
  readonly mayFetch: boolean;
}

export interface Other {
  readonly port: number;
  stop(): Promise<void>;
}

/** Starts the platform's own MCP server, over HTTP and against `platformUrl`; a text that says why where it cannot be had. Fetched into a cache, never a dependency. */
export async function startOther(platformUrl: string, token: string, { mayFetch }: OtherOptions): Promise<Other | string> {
  const program = fetched(mayFetch);
  if (!existsSync(program))
    return `${peer}@${version} ${mayFetch ? 'could not be' : 'has not been'} fetched, or has no program for ${process.platform}-${process.arch}`;
  const port = await freePort();
  const args = ['-transport', 'http', '-bind-addr', `127.0.0.1:${port}`, '-digitalocean-api-endpoint', platformUrl];
  const child = spawn(program, [...args, '-digitalocean-api-token', token, '-services', services, '-log-level', 'error'], {
    stdio: 'ignore',
  });
  const exited = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  const stop = async (): Promise<void> => {
    child.kill('SIGTERM');
    await exited;
  };
  for (let attempt = 0; attempt < 100; attempt += 1) {
    if (await answers(port)) return { port, stop };
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  await stop();
  return `${peer}@${version} did not answer within five seconds`;
}

function fetched(mayFetch: boolean): string {
  const arch = process.arch === 'x64' ? 'amd64' : process.arch;
  const system = process.platform === 'win32' ? 'windows' : process.platform;
  const program = join(cacheDir, 'node_modules', peer, 'dist', `mcp-digitalocean-${system}-${arch}${system === 'windows' ? '.exe' : ''}`);
  if (existsSync(program) || !mayFetch) return program;
  mkdirSync(cacheDir, { recursive: true });
  const args = [
    'install',
    '--prefix',
    cacheDir,
    '--no-save',
    '--ignore-scripts',
    '--no-audit',
    '--no-fund',
    '--loglevel=error',
    `${peer}@${version}`,
  ];
  spawnSync('npm', args, { stdio: ['ignore', 2, 2], shell: process.platform === 'win32' });
  return program;
}

async function answers(port: number): Promise<boolean> {
  try {
    await fetch(`http://127.0.0.1:${port}/mcp`, { method: 'POST', body: '{}', headers: { 'content-type': 'application/json' } });
    return true;
  } catch {
    // Not listening yet.
    return false;
  }
}

function freePort(): Promise<number> {
  return new Promise((resolve) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const address = server.address();
      server.close(() => resolve(typeof address === 'object' && address !== null ? address.port : 0));
    });
  });
}
