import { createServer } from 'node:net';
import { describe, expect, it, onTestFinished } from 'vitest';
import { startHost } from '../../lib/host/start-host.ts';
import { tempDir, testHost } from './support/test-host.ts';

const stopping = "exports.main = () => { console.log('before'); debugger; console.log('after'); return { body: 'done' }; };";
const slow = 'exports.main = () => new Promise((resolve) => setTimeout(() => resolve({}), 700));';

/** A debugger as editors have one, attached to whatever the port leads to. */
async function attach(port: number | undefined) {
  const [target] = (await (await fetch(`http://127.0.0.1:${port}/json/list`)).json()) as [{ webSocketDebuggerUrl: string }];
  expect(target.webSocketDebuggerUrl).toContain(`127.0.0.1:${port}/`);
  const socket = new WebSocket(target.webSocketDebuggerUrl);
  onTestFinished(() => socket.close());
  const seen: string[] = [];
  let onSeen = (): void => {};
  let id = 0;
  socket.addEventListener('message', ({ data }) => {
    const message = JSON.parse(data);
    seen.push(message.method ?? `reply ${message.id}`);
    onSeen();
  });
  const until = (method: string) =>
    new Promise<void>((resolve) => {
      onSeen = () => seen.includes(method) && resolve();
      onSeen();
    });
  const send = (method: string) => {
    id += 1;
    socket.send(JSON.stringify({ id, method }));
    return until(`reply ${id}`);
  };
  await new Promise((resolve) => socket.addEventListener('open', resolve, { once: true }));
  const detach = () => {
    const closed = new Promise((resolve) => socket.addEventListener('close', resolve, { once: true }));
    socket.close();
    return closed;
  };
  return { send, until, detach };
}

describe('a function that is debugged', () => {
  const options = { inspect: { function: 'p/f', port: 0 }, answerWaitMs: 60_000 };

  it('stops at a breakpoint for longer than its timeout, and goes on', async () => {
    const host = await testHost(options);
    await host.deploy('p/slow', slow);
    await host.deploy('p/f', { code: stopping, limits: { timeout: 300 } });
    // It can be attached to before anything was called.
    await expect
      .poll(() =>
        attach(host.inspectorPort).then(
          ({ detach }) => detach(),
          () => 'not yet',
        ),
      )
      .not.toBe('not yet');
    const { send, until } = await attach(host.inspectorPort);
    await send('Debugger.enable');
    const answer = host.web('p/f');
    await until('Debugger.paused');
    await host.invoke('p/slow');
    await send('Debugger.resume');
    const response = await answer;
    expect(await response.text()).toBe('done');
    const { logs } = await host.activation(response.headers.get('x-openwhisk-activation-id'));
    expect(logs.map((line) => line.split(': ')[1])).toEqual(['before', 'after']);
  });

  it('is held to its timeout again when the debugger has gone', async () => {
    const host = await testHost(options);
    await host.deploy('p/f', {
      code: 'exports.main = (event) => event.hang ? new Promise(() => {}) : { body: event };',
      limits: { timeout: 300 },
    });
    await host.web('p/f');
    const { send, detach } = await attach(host.inspectorPort);
    await send('Debugger.enable');
    await detach();
    expect((await host.invoke('p/f', { hang: true })).response.result).toEqual({
      error: 'The action exceeded its time limits of 300 milliseconds.',
    });
  });

  it('runs in one process at a time, and the port leads to that of the version that serves', async () => {
    const host = await testHost(options);
    const version = (word: string) => `exports.main = () => ({ body: '${word} ' + process.pid });`;
    await host.deploy('p/f', version('first'));
    const answers = await Promise.all(Array.from({ length: 5 }, async () => (await host.web('p/f')).text()));
    expect(new Set(answers).size).toBe(1);
    await host.deploy('p/f', version('second'));
    expect(await (await host.web('p/f')).text()).toContain('second');
    const { send } = await attach(host.inspectorPort);
    await send('Debugger.enable');
  });

  it('leaves every other function as it is', async () => {
    const host = await testHost(options);
    await host.deploy('p/other', "exports.main = () => ({ body: require('inspector').url() || 'none' });");
    expect(await (await host.web('p/other')).text()).toBe('none');
  });

  it('refuses a port that is taken, and leaves nothing behind', async () => {
    const taken = createServer().listen(0, '127.0.0.1');
    onTestFinished(() => void taken.close());
    await new Promise((resolve) => taken.once('listening', resolve));
    const address = taken.address();
    const port = typeof address === 'object' && address ? address.port : 0;
    const dataDir = tempDir();
    await expect(startHost({ dataDir, inspect: { function: 'p/f', port } })).rejects.toMatchObject({ code: 'port_in_use' });
    await (await startHost({ dataDir })).close();
  });
});
