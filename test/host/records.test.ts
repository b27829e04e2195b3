import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect, test } from 'vitest';
import { hostLimits } from '../../lib/host/limits.ts';
import { sharedHost, type TestHost, tempDir, testHost } from './support/test-host.ts';

const dayMs = 24 * 60 * 60 * 1000;

/** A host that had these calls, named by their number, before it was started; the times count back from now. */
async function hostWithPast(agesMs: readonly number[]): Promise<TestHost> {
  const dataDir = tempDir();
  const { namespace, close } = await testHost({ dataDir });
  await close();
  const store = new DatabaseSync(join(dataDir, 'host.sqlite'));
  const insert = store.prepare('INSERT INTO activation(id, namespace, start_ms, name, full_name, record) VALUES (?, ?, ?, ?, ?, ?)');
  store.exec('BEGIN');
  for (const [number, ageMs] of agesMs.entries()) {
    const activationId = number.toString(16).padStart(32, '0');
    const record = { activationId, name: String(number), logs: [], response: { result: null } };
    insert.run(activationId, namespace, Date.now() - ageMs, 'f', 'p/f', JSON.stringify(record));
  }
  store.exec('COMMIT');
  store.close();
  return testHost({ dataDir });
}

test('records are kept for three days', async () => {
  const host = await hostWithPast([4 * dayMs, 3 * dayMs + 60_000, 3 * dayMs - 60_000, 0]);
  const { body } = await host.api('GET', 'activations');
  expect(body.map(({ name }: { name: string }) => name)).toEqual(['3', '2']);
  expect((await host.api('GET', `activations/${'1'.padStart(32, '0')}`)).status).toBe(404);
});

test('lists hold 30 records unless they are asked for up to 200, which is what 0 means', async () => {
  const host = await hostWithPast(Array.from({ length: 250 }, (_, number) => 250_000 - 1000 * number));
  const count = async (query: string) => (await host.api('GET', `activations${query}`)).body.length;
  expect([await count(''), await count('?limit=31'), await count('?limit=200'), await count('?limit=0')]).toEqual([30, 31, 200, 200]);
  expect(await count('?limit=200&skip=200')).toBe(50);
  expect((await host.api('GET', 'activations?limit=201')).status).toBe(400);
  expect((await host.api('GET', 'activations?limit=-1')).status).toBe(400);
  expect((await host.api('GET', 'activations?count=true&skip=10')).body).toEqual({ activations: 240 });
});

const shared = sharedHost();

test.each([
  ['of exactly 256 KB is kept whole', hostLimits.logBytes, false],
  ['of one byte more is cut, and says so', hostLimits.logBytes + 1, true],
])('a log %s', async (_what, bytes, isCut) => {
  const host = shared();
  const lineBytes = 1024;
  const code = `exports.main = ({ bytes }) => {
    for (let left = bytes; left > 0; left -= ${lineBytes}) console.log('x'.repeat(Math.min(left, ${lineBytes})));
    return {};
  }`;
  await host.deploy('p/f', code);
  const { logs } = await host.invoke('p/f', { bytes });
  const texts = logs.map((line) => line.replace(/^\S+ \w+: /, ''));
  expect(texts.filter((text) => /^x+$/.test(text)).join('')).toHaveLength(hostLimits.logBytes);
  const notice = `Logs were truncated because the total bytes size exceeds the limit of ${hostLimits.logBytes} bytes.`;
  expect(texts.at(-1) === notice).toBe(isCut);
});
