import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { Client as ClientV1 } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport as TransportV1 } from '@modelcontextprotocol/sdk/client/stdio.js';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import type { Running } from '../../lib/cli/start/running.ts';
import { json, scriptedPlatform } from '../support/platform.ts';
import { type Started, started } from '../support/started.ts';

const bin = fileURLToPath(new URL('../../build/bin/deckhand.mjs', import.meta.url));
const clientInfo = { name: 'stdio-kit', version: '1.0.0' };

function program(args: readonly string[], env: Readonly<Record<string, string>> = {}) {
  return { command: process.execPath, args: [bin, 'mcp', ...args], env: { ...env }, stderr: 'ignore' as const };
}

async function today(args: readonly string[], mode: 'legacy' | 'auto' = 'legacy', env = {}): Promise<Client> {
  const client = new Client(clientInfo, { versionNegotiation: { mode } });
  await client.connect(new StdioClientTransport(program(args, env)));
  onTestFinished(() => client.close());
  return client;
}

async function before(args: readonly string[]): Promise<ClientV1> {
  const client = new ClientV1(clientInfo);
  await client.connect(new TransportV1(program(args)));
  onTestFinished(() => client.close());
  return client;
}

const names = async (client: Client | ClientV1) => (await client.listTools()).tools.map(({ name }) => name);

function temporaryDir(): string {
  const dir = mkdtempSync(join(tmpdir(), 'deckhand-test-'));
  onTestFinished(() => rmSync(dir, { recursive: true, force: true }));
  return dir;
}

/** What an installation left in its data directory; undefined where none runs. */
function noted(data: string): Running | undefined {
  try {
    // Safe: only a start writes it.
    return JSON.parse(readFileSync(join(data, 'running.json'), 'utf8')) as Running;
  } catch {
    return undefined;
  }
}

function lives(pid: number): boolean {
  try {
    return !/^State:\s+Z/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'));
  } catch {
    return false;
  }
}

/** Ends what runs on a data directory when the test is over, whatever became of it. */
function endAfterwards(data: string): void {
  onTestFinished(async () => {
    const pid = noted(data)?.ready.pid;
    if (pid === undefined || !lives(pid)) return;
    process.kill(pid, 'SIGTERM');
    await expect.poll(() => lives(pid)).toBe(false);
  });
}

/** `deckhand mcp` as a process that the test speaks to itself. */
function raw(args: readonly string[], env: NodeJS.ProcessEnv = {}) {
  const child: ChildProcess = spawn(process.execPath, [bin, 'mcp', ...args], { env: { ...process.env, ...env }, stdio: 'pipe' });
  onTestFinished(() => void child.kill('SIGKILL'));
  const printed = { out: '', err: '' };
  child.stdout?.setEncoding('utf8').on('data', (chunk) => (printed.out += chunk));
  child.stderr?.setEncoding('utf8').on('data', (chunk) => (printed.err += chunk));
  return {
    child,
    printed,
    send: (...messages: readonly (object | string)[]) => {
      for (const message of messages) child.stdin?.write(`${typeof message === 'string' ? message : JSON.stringify(message)}\n`);
    },
    /** Closes stdin and resolves when the process has ended. */
    async end(): Promise<{ readonly code: number | null; readonly lines: readonly string[]; readonly err: string }> {
      const closed = once(child, 'close');
      child.stdin?.end();
      await closed;
      return { code: child.exitCode, lines: printed.out.split('\n').slice(0, -1), err: printed.err };
    },
  };
}

const ping = (id: number) => ({ jsonrpc: '2.0', id, method: 'ping' });
const callOf = (id: number, name: string, given: object = {}) => ({
  jsonrpc: '2.0',
  id,
  method: 'tools/call',
  params: { name, arguments: given },
});

describe('deckhand mcp, beside an installation that runs', () => {
  let running: Started;
  let data: string;
  beforeAll(async () => {
    data = mkdtempSync(join(tmpdir(), 'deckhand-test-'));
    running = await started(['--data', data]);
  });
  afterAll(async () => {
    await running.end();
    rmSync(data, { recursive: true, force: true });
  });

  describe.each([
    ['SDK v2, as it comes', (args: readonly string[]) => today(args)],
    ['SDK v2, choosing the revision', (args: readonly string[]) => today(args, 'auto')],
    ['SDK v1', before],
  ])('%s', (_, connect) => {
    it('lists every tool and calls them', async () => {
      const client = await connect(['--data', data]);
      expect(await names(client)).toHaveLength(158);
      expect(await client.callTool({ name: 'instance-list', arguments: { PerPage: 1 } })).toMatchObject({
        structuredContent: { items: [{ id: expect.any(Number) }], perPage: 1 },
      });
      expect(await client.callTool({ name: 'instance-get', arguments: { ID: 1 } })).toMatchObject({
        isError: true,
        structuredContent: { error: { code: 'not_found' } },
      });
      await expect(client.callTool({ name: 'instance-lst' })).rejects.toMatchObject({ code: -32602 });
    });

    it('serves what the options select', async () => {
      const client = await connect(['--data', data, '--toolsets', 'dns', '--read-only', '--tools', '!certificate-*']);
      expect(await names(client)).toEqual(['domain-get', 'domain-list', 'domain-record-get', 'domain-record-list']);
    });

    it('finds tools first with --discover', async () => {
      const client = await connect(['--data', data, '--discover']);
      expect(await names(client)).toEqual(['tool-search', 'tool-read', 'tool-run']);
      expect(client.getInstructions()).toContain('tool-search');
      expect(await client.callTool({ name: 'tool-read', arguments: { tool: 'key-list' } })).toMatchObject({
        structuredContent: { items: expect.any(Array) },
      });
    });
  });

  it('leaves it running when it ends', async () => {
    const client = await today(['--data', data]);
    await client.close();
    expect((await fetch(`${running.ready.router}/health`)).status).toBe(200);
  });

  it('prints nothing but messages, each on a line, and ends with 0 once stdin has ended and all is answered', async () => {
    const { send, end } = raw(['--data', data]);
    send(ping(1), callOf(2, 'instance-list'), '{"jsonrpc"', '', { jsonrpc: '2.0', method: 'notifications/initialized' }, [
      ping(3),
      ping(4),
    ]);
    const { code, lines, err } = await end();
    expect(code).toBe(0);
    expect(err).toBe('');
    const answers = lines.map((line) => JSON.parse(line));
    expect(
      answers
        .flat()
        .map(({ id }) => id)
        .sort(),
    ).toEqual([1, 2, 3, 4, null]);
    expect(answers.find(({ id }) => id === null)).toMatchObject({ error: { code: -32700 } });
  });

  it('carries characters that end lines elsewhere, and a tool list that has lines', async () => {
    const { send, end } = raw(['--data', data]);
    send(`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"domain-get","arguments":{"Name":"a\u2028b.example"}}}`);
    send({ jsonrpc: '2.0', id: 2, method: 'tools/list' });
    const { lines } = await end();
    expect(lines).toHaveLength(2);
    for (const line of lines) expect(JSON.parse(line).result, line.slice(0, 200)).toBeDefined();
  });

  it('tells a misspelt selection as the error of each message, and opens nothing wider', async () => {
    const { send, end } = raw(['--data', data, '--toolsets', 'dnss']);
    send({ jsonrpc: '2.0', id: 1, method: 'tools/list' });
    const [line = ''] = (await end()).lines;
    expect(JSON.parse(line)).toMatchObject({ id: 1, error: { message: expect.stringContaining('did you mean dns?') } });
  });

  it('speaks to a router elsewhere, with a token out of the environment', async () => {
    const { mcp, router, token } = running.ready;
    for (const url of [router, mcp, `${router}/`]) {
      const client = await today(['--url', url, '--toolsets', 'dns'], 'auto', { DECKHAND_TOKEN: token });
      expect(await names(client), url).toContain('domain-list');
      await client.close();
    }
    const { send, end } = raw(['--url', router], { DECKHAND_TOKEN: 'dh_canary' });
    send(callOf(1, 'account-get-information'));
    const { lines, err } = await end();
    expect(JSON.parse(lines[0] ?? '').result.structuredContent.error.code).toBe('unauthenticated');
    expect(lines.join() + err).not.toContain('dh_canary');
  });

  it.each([
    [['--url', 'http://127.0.0.1:9'], /DECKHAND_TOKEN/],
    [['--url', 'somewhere'], /http:\/\/ or https:\/\//],
    [['--readonly'], /unknown option '--readonly'/],
  ])('refuses %j in a sentence', async (args, said) => {
    const { code, lines, err } = await raw(args, { DECKHAND_TOKEN: '' }).end();
    expect(code).toBe(1);
    expect(lines).toEqual([]);
    expect(err).toMatch(said);
    expect(err).not.toMatch(/\n\s+at /);
  });

  it('answers an id whose digits it cannot say again under none', async () => {
    for (const to of [
      ['--data', data],
      ['--url', 'http://127.0.0.1:9'],
    ]) {
      const { send, end } = raw(to, { DECKHAND_TOKEN: 'x' });
      send('{"jsonrpc":"2.0","id":9007199254740993,"method":"ping"}');
      const answers = (await end()).lines.map((line) => JSON.parse(line));
      expect(answers, to[0]).toMatchObject([{ id: null, error: { message: expect.any(String) } }]);
    }
  });

  it('says so when nobody answers', async () => {
    const { send, end } = raw(['--url', 'http://127.0.0.1:9'], { DECKHAND_TOKEN: 'x' });
    send(ping(1));
    const { code, lines } = await end();
    expect(code).toBe(0);
    expect(JSON.parse(lines[0] ?? '')).toMatchObject({ id: 1, error: { message: expect.stringContaining('http://127.0.0.1:9') } });
  });

  it('takes an answer that breaks off for none, and repeats what calls no tool', async () => {
    const router = await scriptedPlatform((response, { body }, attempt) => {
      const { id, method } = JSON.parse(body);
      if (method === 'ping' && attempt === 2) return json(response, 200, { jsonrpc: '2.0', id, result: {} });
      response.writeHead(200, { 'content-type': 'application/json', 'content-length': '1000' });
      response.write('{"jsonrpc"', () => response.socket?.destroy());
    });
    const pinged = raw(['--url', router.url], { DECKHAND_TOKEN: 'x' });
    pinged.send(ping(1));
    expect((await pinged.end()).lines.map((line) => JSON.parse(line))).toEqual([{ jsonrpc: '2.0', id: 1, result: {} }]);
    const called = raw(['--url', router.url], { DECKHAND_TOKEN: 'x' });
    called.send(callOf(2, 'key-delete', { ID: 1 }));
    const [line = ''] = (await called.end()).lines;
    expect(JSON.parse(line)).toMatchObject({ id: 2, error: { message: expect.stringContaining('may or may not have happened') } });
    expect(router.arrived.map(({ body }) => JSON.parse(body).id)).toEqual([1, 1, 2]);
  });
});

describe('deckhand mcp, where nothing runs', () => {
  it('starts one installation for several clients at once, which ends with the last of them', async () => {
    const data = temporaryDir();
    endAfterwards(data);
    const clients = await Promise.all([today(['--data', data]), before(['--data', data]), today(['--data', data], 'auto')]);
    const pid = noted(data)?.ready.pid ?? 0;
    expect(lives(pid)).toBe(true);
    await clients[0].callTool({
      name: 'key-create',
      arguments: { Name: 'shared', PublicKey: 'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIEsharedsharedsharedsharedsharedsharedshared' },
    });
    for (const client of clients) {
      expect(JSON.stringify(await client.callTool({ name: 'key-list' }))).toContain('shared');
    }
    await clients[0].close();
    await clients[2].close();
    expect(await names(clients[1])).toHaveLength(158);
    expect(noted(data)?.ready.pid).toBe(pid);
    await clients[1].close();
    await expect.poll(() => lives(pid)).toBe(false);
    expect(noted(data)).toBeUndefined();
  });

  it('ends it too when the last client was ended by force, and has lost nothing at the next start', async () => {
    const data = temporaryDir();
    endAfterwards(data);
    const first = raw(['--data', data]);
    first.send(callOf(1, 'domain-create', { Name: 'kept.example.com', IPAddress: '203.0.113.5' }));
    await expect.poll(() => first.printed.out).toContain('kept.example.com');
    const pid = noted(data)?.ready.pid ?? 0;
    first.child.kill('SIGKILL');
    await expect.poll(() => lives(pid)).toBe(false);
    const second = raw(['--data', data]);
    second.send(callOf(1, 'domain-get', { Name: 'kept.example.com' }));
    expect(JSON.parse((await second.end()).lines[0] ?? '').result.isError).toBe(false);
  });

  it('starts another where the one in use was ended by force', async () => {
    const data = temporaryDir();
    endAfterwards(data);
    const client = await today(['--data', data]);
    const pid = noted(data)?.ready.pid ?? 0;
    process.kill(pid, 'SIGKILL');
    await expect.poll(() => lives(pid)).toBe(false);
    expect(await names(client)).toHaveLength(158);
    expect(noted(data)?.ready.pid).not.toBe(pid);
  });

  it('lets it go on for whoever started it as well', async () => {
    const data = temporaryDir();
    endAfterwards(data);
    const client = await today(['--data', data]);
    const { ready } = await started(['--data', data]);
    expect(ready.pid).toBe(noted(data)?.ready.pid);
    await client.close();
    const again = await today(['--data', data]);
    await again.close();
    expect(lives(ready.pid)).toBe(true);
    expect((await fetch(`${ready.router}/health`)).status).toBe(200);
  });

  it('says why where none can be started', async () => {
    const data = temporaryDir();
    const blocked = join(data, 'token');
    rmSync(blocked, { force: true });
    const holder = await started(['--data', data]);
    onTestFinished(async () => void (await holder.end()));
    // It runs, and its note is gone: the directory is another's, and nobody says where that is.
    rmSync(join(data, 'running.json'));
    const { code, lines, err } = await raw(['--data', data]).end();
    expect(code).toBe(1);
    expect(lines).toEqual([]);
    expect(err).toMatch(/no installation could be started[\s\S]*in use by another running host/);
  });
});
