import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { isRunning } from './support/processes.ts';
import { type TestHost, tempDir, testHost } from './support/test-host.ts';

const healthy = 'exports.main = async ({ n }) => { await new Promise((done) => setTimeout(done, 2)); return { n }; }';

interface Rough {
  readonly does: string;
  readonly code: string;
  readonly error: string;
  readonly limits?: { readonly timeout: number; readonly memory: number };
}

const timedOut = 'The action exceeded its time limits of 400 milliseconds';
const exited = 'The action did not produce a valid response and exited unexpectedly.';
const outOfMemory = 'The action exhausted its memory and was aborted.';
const interfered = 'The action wrote to file descriptor 3, which belongs to the runtime, and was aborted.';
const small = { timeout: 30_000, memory: 128 };

const rough: readonly Rough[] = [
  { does: 'loops for ever', code: 'exports.main = () => { for (;;); }', error: `${timedOut}.` },
  { does: 'never resolves', code: 'exports.main = () => new Promise(() => {})', error: `${timedOut}.` },
  { does: 'loops while loading', code: 'for (;;);', error: `${timedOut} during initialization.` },
  { does: 'exits', code: 'exports.main = () => process.exit(0)', error: exited },
  { does: 'exits while loading', code: 'process.exit(1)', error: 'The action did not initialize and exited unexpectedly.' },
  { does: 'kills itself', code: 'exports.main = () => process.kill(process.pid, "SIGKILL")', error: exited },
  {
    does: 'throws from a timer',
    code: 'exports.main = () => new Promise(() => setTimeout(() => { throw new Error("late"); }))',
    error: exited,
  },
  { does: 'leaves a rejection unhandled', code: 'exports.main = () => new Promise(() => { Promise.reject(new Error()); })', error: exited },
  {
    does: 'fills its heap',
    code: 'exports.main = () => { const all = []; for (;;) all.push(new Array(1000).fill(all.length)); }',
    error: outOfMemory,
    limits: small,
  },
  {
    does: 'allocates outside of its heap',
    code: 'exports.main = async () => { const all = []; for (;;) { all.push(Buffer.alloc(8e6, 1)); await new Promise(setImmediate); } }',
    error: outOfMemory,
    limits: small,
  },
  {
    does: 'writes rubbish to the descriptor of the runtime',
    code: 'exports.main = () => new Promise(() => require("fs").writeSync(3, "rubbish\\n"))',
    error: interfered,
  },
  {
    does: 'writes to the descriptor of the runtime without end',
    code: 'exports.main = () => { for (;;) require("fs").writeSync(3, "x".repeat(100_000)); }',
    error: interfered,
  },
  {
    does: 'forges the answer to another call',
    code: 'exports.main = () => new Promise(() => require("fs").writeSync(3, JSON.stringify({ id: "0".repeat(32), result: {} }) + "\\n"))',
    error: interfered,
  },
  {
    does: 'answers what is nested ten thousand levels deep',
    code: `exports.main = (event, { activationId }) => new Promise(() => {
      const result = '{"a":'.repeat(10_000) + 1 + '}'.repeat(10_000);
      require('fs').writeSync(3, '{"id":"' + activationId + '","result":' + result + '}\\n');
    })`,
    error: 'The action did not produce a valid response: it is nested deeper than 1000 levels.',
  },
  {
    does: 'closes the descriptor of the runtime',
    code: 'exports.main = () => new Promise(() => require("fs").closeSync(3))',
    error: exited,
  },
];
const rejects: Rough = { does: 'rejects', code: 'exports.main = async () => { throw new Error("boom"); }', error: '' };
const worst = [...rough.filter(({ does }) => ['loops for ever', 'exits', 'fills its heap'].includes(does)), rejects];

describe('a function that', () => {
  test.each(rough)('$does ends its own instance only, with the right answer and record', async ({ code, error, limits }) => {
    const host = await testHost();
    await host.deploy('p/rough', { code, limits: { timeout: 400, ...limits } });
    const { status, body } = await host.api('POST', 'actions/p/rough?blocking=true', {});
    expect(status).toBe(502);
    expect(body.response).toMatchObject({ status: 'action_developer_error', statusCode: 2, success: false, result: { error } });
    expect((await host.activation(body.activationId)).response).toEqual(body.response);

    const web = await host.web('p/rough');
    expect(web.status).toBe(400);
    expect(await web.json()).toEqual({ error: 'There was an error processing your request.', code: expect.any(String) });
    const recorded = await host.activation(web.headers.get('x-openwhisk-activation-id'));
    expect(recorded.response.result).toEqual({ error });
    expect(recorded.annotations).toContainEqual({ key: 'timeout', value: error.startsWith(timedOut) });
  });

  test('fails gets the true status where it is mounted', async () => {
    const host = await testHost({ mounts: { '/exit': 'p/exit', '/loop': 'p/loop', '/reject': 'p/reject' } });
    await host.deploy('p/exit', 'exports.main = () => process.exit(0)');
    await host.deploy('p/loop', { code: 'exports.main = () => { for (;;); }', limits: { timeout: 200 } });
    await host.deploy('p/reject', 'exports.main = async () => { throw new Error("boom"); }');
    const statuses = ['exit', 'loop', 'reject'].map(async (path) => (await fetch(`${host.url}/${path}`)).status);
    expect(await Promise.all(statuses)).toEqual([502, 504, 502]);
  });

  test('reads its standard input finds it empty, and closing it for good ends that instance only', async () => {
    const host = await testHost();
    const read = 'let text = ""; for await (const chunk of process.stdin) text += chunk; return { text, pid: process.pid };';
    await host.deploy('p/reads', `exports.main = async () => { ${read} }`);
    const [one, two] = [await host.invoke('p/reads'), await host.invoke('p/reads')];
    expect(one.response.result).toMatchObject({ text: '' });
    expect(two.response.result).toEqual(one.response.result);
    await host.deploy('p/closes', 'exports.main = () => { require("fs").closeSync(0); return { pid: process.pid }; }');
    const pids = [await host.invoke('p/closes'), await host.invoke('p/closes'), await host.invoke('p/closes')].map(pidOf);
    expect(pids.every((pid) => pid > 0)).toBe(true);
  });

  test('answers and dies right after harms no later call', async () => {
    const host = await testHost();
    await host.deploy('p/f', 'exports.main = () => { setImmediate(() => process.exit(1)); return { ok: true }; }');
    for (let call = 0; call < 20; call += 1) {
      expect((await host.invoke('p/f')).response).toMatchObject({ status: 'success', result: { ok: true } });
    }
  });

  test('loops after its answer harms no later call', async () => {
    const host = await testHost();
    const loops = 'exports.main = ({ n }) => { setImmediate(() => { for (;;); }); return { n }; }';
    await host.deploy('p/f', { code: loops, limits: { timeout: 10_000 } });
    for (const n of [1, 2]) expect((await host.invoke('p/f', { n })).response).toMatchObject({ status: 'success', result: { n } });
  });

  test('floods its output has the log cut, and the host goes on', async () => {
    const host = await testHost();
    const code =
      'exports.main = async () => { for (let i = 0; i < 300; i += 1) { console.log("x".repeat(10_000)); await new Promise(setImmediate); } return { done: true }; }';
    await host.deploy('p/flood', { code, limits: { timeout: 20_000 } });
    await host.deploy('p/healthy', healthy);
    const flood = host.invoke('p/flood');
    for (let n = 0; n < 20; n += 1) expect((await host.invoke('p/healthy', { n })).response.result).toEqual({ n });
    const { response, logs } = await flood;
    expect(response.result).toEqual({ done: true });
    expect(logs.at(-1)).toMatch(/Logs were truncated because the total bytes size exceeds the limit of 262144 bytes\.$/);
    expect(logs.join('').length).toBeLessThan(300_000);
    expect((await host.invoke('p/flood')).logs[0]).toMatch(/stdout: x+$/);
  });

  test('leaves children running has them ended with it', async () => {
    const host = await testHost();
    const code = `exports.main = ({ die }) => {
      if (die) process.exit(1);
      return { child: require('child_process').spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)']).pid };
    }`;
    await host.deploy('p/f', code);
    const { child } = (await host.invoke('p/f')).response.result as { child: number };
    expect(isRunning(child)).toBe(true);
    await host.invoke('p/f', { die: true });
    await expect.poll(() => isRunning(child)).toBe(false);
  });

  test('has its children take more memory than it may is ended with them', async () => {
    const host = await testHost();
    const grows = 'const all = []; setInterval(() => all.push(Buffer.alloc(16e6, 1)), 20)';
    const code = `exports.main = async ({ answer }) => {
      const { pid } = require('child_process').spawn(process.execPath, ['-e', ${JSON.stringify(grows)}]);
      if (answer) return { pid };
      require('fs').writeFileSync(process.env.OUT, String(pid));
      await new Promise(() => {});
    }`;
    const out = join(tempDir(), 'pid');
    await host.deploy('p/f', { code, limits: small, parameters: [{ key: 'OUT', value: out, init: true }] });
    expect((await host.invoke('p/f')).response.result).toEqual({ error: outOfMemory });
    await expect.poll(() => isRunning(Number(readFileSync(out, 'utf8')))).toBe(false);
    const left = pidOf(await host.invoke('p/f', { answer: true }));
    await expect.poll(() => isRunning(left), { timeout: 30_000 }).toBe(false);
  });

  test('starts a child that starts another has both ended with it', async () => {
    const host = await testHost();
    const grandchild = `require('child_process').spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'], { stdio: 'ignore' })`;
    const child = `console.log(${grandchild}.pid); process.exit()`;
    const code = `exports.main = ({ die }) => {
      if (die) return new Promise(() => {});
      return { pid: Number(require('child_process').execFileSync(process.execPath, ['-e', ${JSON.stringify(child)}])) };
    }`;
    await host.deploy('p/f', { code, limits: { timeout: 1000 } });
    const pid = pidOf(await host.invoke('p/f'));
    expect(isRunning(pid)).toBe(true);
    await host.invoke('p/f', { die: true });
    await expect.poll(() => isRunning(pid)).toBe(false);
  });

  test.each([
    ['in a session of its own', '{ detached: true, stdio: "ignore" }'],
    ['in a session of its own with no environment', '{ detached: true, stdio: "ignore", env: {} }'],
  ])('starts a child %s has it ended with it', async (_where, options) => {
    const host = await testHost();
    const idle = 'setInterval(() => {}, 1000)';
    const code = `exports.main = ({ hang }) => hang ? new Promise(() => {})
      : { pid: require('child_process').spawn(process.execPath, ['-e', '${idle}'], ${options}).pid };`;
    await host.deploy('p/f', { code, limits: { timeout: 1000 } });
    const timedOut = pidOf(await host.invoke('p/f'));
    expect(isRunning(timedOut)).toBe(true);
    await host.invoke('p/f', { hang: true });
    await expect.poll(() => isRunning(timedOut)).toBe(false);
    const replaced = pidOf(await host.invoke('p/f'));
    await host.deploy('p/f', healthy);
    await expect.poll(() => isRunning(replaced)).toBe(false);
  });

  test('exits and leaves behind a session whose own parent has gone has it ended, and so has a host that closes', async () => {
    const host = await testHost();
    const daemon = `console.log(require('child_process').spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'],
      { detached: true, stdio: 'ignore' }).pid); process.exit()`;
    const code = `exports.main = ({ exit }) => exit ? process.exit(1)
      : { pid: Number(require('child_process').execFileSync(process.execPath, ['-e', ${JSON.stringify(daemon)}])) };`;
    await host.deploy('p/f', code);
    const first = pidOf(await host.invoke('p/f'));
    expect(isRunning(first)).toBe(true);
    await host.invoke('p/f', { exit: true });
    await expect.poll(() => isRunning(first)).toBe(false);
    const second = pidOf(await host.invoke('p/f'));
    expect(isRunning(second)).toBe(true);
    await host.close();
    expect(isRunning(second)).toBe(false);
  });

  test('may log nothing has its log say so', async () => {
    const host = await testHost();
    await host.deploy('p/f', { code: 'exports.main = () => { console.log("a"); console.log("b"); return {}; }', limits: { logs: 0 } });
    const cut = 'stderr: Logs were truncated because the total bytes size exceeds the limit of 0 bytes.';
    expect((await host.invoke('p/f')).logs).toEqual([expect.stringContaining(cut)]);
  });

  test.each(worst)('$does does not disturb a healthy one under load', async ({ code, limits }) => {
    const host = await testHost();
    await host.deploy('p/rough', { code, limits: { timeout: 400, ...limits } });
    await host.deploy('p/healthy', healthy);
    const roughCalls = Array.from({ length: 4 }, () => host.invoke('p/rough'));
    await expectAllRight(host, 4, 40);
    const records = await Promise.all(roughCalls);
    expect(records.every(({ response }) => !response.success)).toBe(true);
  });
});

async function expectAllRight(host: TestHost, callers: number, callsEach: number): Promise<void> {
  const call = async (caller: number): Promise<void> => {
    for (let i = 0; i < callsEach; i += 1) {
      const n = caller * callsEach + i;
      expect((await host.invoke('p/healthy', { n })).response.result).toEqual({ n });
    }
  };
  await Promise.all(Array.from({ length: callers }, (_, caller) => call(caller)));
}

function pidOf({ response }: { readonly response: { readonly result: unknown } }): number {
  return (response.result as { pid: number }).pid;
}
