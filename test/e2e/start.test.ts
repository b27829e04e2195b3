import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { clientOf } from '../emulator/platform.ts';
import { jsonOf } from '../support/json-of.ts';
import { exitOf, type Started, started, startProcess } from '../support/started.ts';

function temporaryDir(): string {
  const dir = mkdtempSync(join(tmpdir(), 'deckhand-test-'));
  onTestFinished(() => rmSync(dir, { recursive: true, force: true }));
  return dir;
}

async function textOf(args: readonly string[]): Promise<{ readonly code: number | null; readonly out: string; readonly err: string }> {
  const child = startProcess(args);
  let out = '';
  let err = '';
  child.stdout?.on('data', (chunk) => (out += chunk));
  child.stderr?.on('data', (chunk) => (err += chunk));
  const code = await exitOf(child);
  return { code, out, err };
}

function callTool({ ready }: Started, tool: string, given: unknown = {}) {
  const headers = { authorization: `Bearer ${ready.token}`, 'content-type': 'application/json' };
  return fetch(`${ready.tools}/${tool}`, { method: 'POST', headers, body: JSON.stringify(given) });
}

/** The status of what is asked for under a name of one's own. */
function statusUnder(name: string, url: string): Promise<number | undefined> {
  return new Promise((resolve, reject) => {
    http
      .get(url, { headers: { host: name } }, (response) => {
        response.resume();
        resolve(response.statusCode);
      })
      .once('error', reject);
  });
}

/** Whether a process lives; one that has ended and whose parent has not looked yet does not. */
function lives(pid: number): boolean {
  try {
    return !/^State:\s+Z/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'));
  } catch {
    return false;
  }
}

describe('npm start', () => {
  it('says in one line where everything is, serves it under the names it is given, and ends clean when told to', async () => {
    const running = await started(['--ephemeral', '--allow-host', 'tools.example']);
    expect(running.ready).toMatchObject({
      ready: true,
      version: '0.1.0',
      pid: expect.any(Number),
      token: expect.stringMatching(/^dh_[0-9a-f]{48}$/),
      auth: expect.stringMatching(/^[0-9a-f-]{36}:\S+$/),
      namespace: expect.stringMatching(/^fn-/),
    });
    const { router, mcp, tools, apihost, platform, functions, token } = running.ready;
    expect([mcp, tools, apihost]).toEqual([`${router}/mcp`, `${router}/tools`, router]);
    expect(Object.keys(functions)).toEqual(expect.arrayContaining(['gateway/router', 'tools/account', 'tools/instances', 'tools/images']));

    expect((await callTool(running, 'account-get-information')).status).toBe(200);
    const direct = await fetch(`${platform}/v2/account`, { headers: { authorization: `Bearer ${token}` } });
    expect(direct.status).toBe(200);
    const { namespaces } = await jsonOf(
      await fetch(`${platform}/v2/functions/namespaces`, { headers: { authorization: `Bearer ${token}` } }),
    );
    expect(namespaces).toMatchObject([{ namespace: running.ready.namespace, api_host: apihost }]);
    for (const [name, url] of Object.entries(functions)) expect((await fetch(`${url}/health`)).status, name).toBe(200);

    expect(await statusUnder('tools.example', `${apihost}/api/v1`)).toBe(200);
    expect(await statusUnder('other.example', `${apihost}/api/v1`)).toBe(403);

    expect(await running.end()).toBe(0);
    expect(lives(running.ready.pid)).toBe(false);
  });

  it('has token, namespace and credentials the same at every start with one data directory', async () => {
    const data = temporaryDir();
    const first = await started(['--data', data]);
    await first.end();
    const second = await started(['--data', data]);
    await second.end();
    expect([second.ready.token, second.ready.namespace, second.ready.auth]).toEqual([
      first.ready.token,
      first.ready.namespace,
      first.ready.auth,
    ]);
  });

  it('sends no probe with --offline, and one a minute without', async () => {
    let asked = 0;
    const server = http.createServer((_request, response) => {
      asked += 1;
      response.end();
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    onTestFinished(() => void server.close());
    // Safe: the server listens on a TCP port.
    const target = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
    for (const [flags, status, probes] of [
      [['--offline'], 'CHECKING', 0],
      [[], 'UP', 5],
    ] as const) {
      asked = 0;
      const running = await started(['--ephemeral', ...flags]);
      const platform = clientOf(running.ready.platform, running.ready.token);
      await platform.post('/_emulator/clock', { freeze: true });
      const check = { name: 'server', type: 'http', target, regions: ['us_east'], enabled: true };
      const { id } = (await platform.post('/v2/uptime/checks', check)).body.check;
      await platform.post('/_emulator/clock', { advance: '5m' });
      const { regions } = (await platform.get(`/v2/uptime/checks/${id}/state`)).body.state;
      await running.end();
      expect([regions.us_east.status, asked], flags.join(' ')).toEqual([status, probes]);
    }
  });

  it.skipIf(process.platform === 'win32')('ends with npm, whose shell passes no signal on', async () => {
    const npm = spawn('npm', ['start', '--silent', '--', '--json', '--ephemeral', '--port', '0', '--platform-port', '0'], {
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    onTestFinished(() => void npm.kill('SIGKILL'));
    const [line] = await once(createInterface(npm.stdout), 'line');
    const { pid } = JSON.parse(line);
    onTestFinished(() => void (lives(pid) && process.kill(pid, 'SIGKILL')));
    expect(lives(pid)).toBe(true);
    npm.kill('SIGTERM');
    await expect.poll(() => lives(pid), { timeout: 30_000 }).toBe(false);
  });

  it('prints the block and ends with 0 where it runs already', async () => {
    const data = temporaryDir();
    const first = await started(['--data', data]);
    const again = await textOf(['--data', data, '--port', new URL(first.ready.router).port]);
    const json = await textOf(['--data', data, '--json']);
    await first.end();
    expect(again.code).toBe(0);
    expect(again.out).toContain(`running already (process ${first.ready.pid})`);
    expect(again.out).toContain(first.ready.mcp);
    expect(JSON.parse(json.out)).toEqual(first.ready);
  });

  it('names the program that has its port, and the way round it', async () => {
    const server = http.createServer();
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    onTestFinished(() => void server.close());
    // Safe: the server listens on a TCP port.
    const { port } = server.address() as AddressInfo;
    for (const [flag, args] of [
      ['--port', ['--port', String(port), '--platform-port', '0']],
      ['--platform-port', ['--port', '0', '--platform-port', String(port)]],
    ] as const) {
      const { code, err, out } = await textOf(['--ephemeral', ...args]);
      expect(code).toBe(1);
      expect(out).toBe('');
      expect(err).toContain(`port ${port} is taken`);
      expect(err).toContain(`(process ${process.pid})`);
      expect(err).toContain(`${flag} 0`);
    }
  });

  it('says of a directory in which nothing can be kept what stands against it, and the way round it', async () => {
    const file = join(temporaryDir(), 'taken');
    writeFileSync(file, '');
    for (const data of [file, join(file, 'below')]) {
      const { code, err, out } = await textOf(['--data', data]);
      expect([code, out]).toEqual([1, '']);
      expect(err).toMatch(/^deckhand: nothing can be kept in .*taken.* \(E(EXIST|NOTDIR): .*\): choose another directory with --data\n$/);
    }
  });

  it('prints for people: the addresses, what to paste, and a line for each request', async () => {
    const child = startProcess(['--ephemeral', '--port', '0', '--platform-port', '0']);
    let out = '';
    const said = (text: string | RegExp) =>
      new Promise<void>((resolve) => {
        const look = () => {
          if (typeof text === 'string' ? !out.includes(text) : !text.test(out)) return;
          child.stdout?.off('data', look);
          resolve();
        };
        child.stdout?.on('data', look);
        look();
      });
    child.stdout?.on('data', (chunk) => (out += chunk));
    await said("-d '{}'");
    expect(out).toMatch(
      /^Deckhand 0\.1\.0 {3}emulator, no account {3}nothing is kept {3}confirmations off \(emulator\) {3}ready in \d+\.\d s$/m,
    );
    expect(out).toMatch(/^ {2}MCP {7}http:\/\/127\.0\.0\.1:\d+\/mcp {8}\d+ tools; .*\/mcp\/discover/m);
    expect(out).toMatch(/^ {2}Your doctl {3}doctl serverless connect --apihost http:\/\/127\.0\.0\.1:\d+ --auth [0-9a-f-]{36}:\S+$/m);
    expect(JSON.parse(/Cursor +(\{.*\})$/m.exec(out)?.[1] ?? '').mcpServers.deckhand.url).toMatch(/\/mcp\/discover$/);
    const tried = /Try {10}curl (\S+) -H "(Authorization): (Bearer \S+)" -d '\{\}'/.exec(out);
    const [, address, header, bearer] = tried ?? [];
    const answer = await fetch(`http://${address}`, {
      method: 'POST',
      headers: { [header ?? '']: bearer ?? '', 'user-agent': 'some-client/1' },
      body: '{}',
    });
    expect(answer.status).toBe(200);
    await said(/^\d\d:\d\d:\d\d {2}JSON {4}instance-list +200 +\d+ ms {2}(warm|cold) {2}some-client$/m);
    child.kill('SIGTERM');
    expect(await exitOf(child)).toBe(0);
  });

  it.each([
    [['--port', '70000'], /65535/],
    [['--speed', 'fast'], /number from 0/],
    [['--platform-url', 'somewhere'], /http/],
    [['--nonsense'], /nonsense/],
    [['--platform-url', 'https://api.example.com'], /PLATFORM_API_TOKEN/],
  ])('refuses %j in a sentence', async (args, said) => {
    const { code, err } = await textOf(args);
    expect(code).toBe(1);
    expect(err).toMatch(said);
    expect(err).not.toMatch(/\n\s+at /);
  });

  it('uses a real account where it is told to: its token for the platform, another for callers', async () => {
    const emulator = await started(['--ephemeral']);
    const environment = { PLATFORM_API_TOKEN: emulator.ready.token };
    const running = await started(['--ephemeral', '--platform-url', emulator.ready.platform], environment);
    expect(running.ready.token).not.toBe(emulator.ready.token);
    expect(running.ready.platform).toBe(emulator.ready.platform);
    expect((await callTool(running, 'account-get-information')).status).toBe(200);
    const stranger = await fetch(`${running.ready.tools}/account-get-information`, {
      method: 'POST',
      headers: { authorization: `Bearer ${emulator.ready.token}` },
    });
    expect(stranger.status).toBe(401);
    await running.end();
    await emulator.end();
  });
});

describe('npm start, ended by force', () => {
  let data: string;
  beforeAll(() => {
    data = mkdtempSync(join(tmpdir(), 'deckhand-test-'));
  });
  afterAll(() => rmSync(data, { recursive: true, force: true }));

  it('loses nothing that was answered: a create in its middle completes after the next start', async () => {
    const first = await started(['--data', data, '--speed', '1']);
    const images = await jsonOf(callTool(first, 'image-list', { Type: 'distribution', PerPage: 1 }));
    const ImageID = images.result.items[0].id;
    const made = await jsonOf(
      callTool(first, 'instance-create', { Name: 'survivor', Size: 's-1vcpu-1gb', ImageID, Region: 'nyc3', Tags: ['kept'] }),
    );
    expect(made.result).toMatchObject({ status: 'new', actions: [{ rel: 'create' }] });
    await first.kill();
    expect(lives(first.ready.pid)).toBe(false);

    const second = await started(['--data', data, '--speed', '1']);
    const found = await jsonOf(callTool(second, 'instance-get', { ID: made.result.id }));
    expect(found.result).toMatchObject({ name: 'survivor', status: 'new', tags: ['kept'] });
    await fetch(`${second.ready.platform}/_emulator/clock`, {
      method: 'POST',
      headers: { authorization: `Bearer ${second.ready.token}`, 'content-type': 'application/json' },
      body: JSON.stringify({ advance: '5m' }),
    });
    const after = await jsonOf(callTool(second, 'instance-get', { ID: made.result.id }));
    expect(after.result).toMatchObject({ name: 'survivor', status: 'active', tags: ['kept'] });
    const action = await jsonOf(callTool(second, 'instance-action', { InstanceID: made.result.id, ActionID: made.result.actions[0].id }));
    expect(action.result.status).toBe('completed');
    expect(await second.end()).toBe(0);
  });
});
