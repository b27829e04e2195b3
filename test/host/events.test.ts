import { expect, onTestFinished, test, vi } from 'vitest';
import { addNamespace, apiToken, platform } from './support/account.ts';
import { openEvents, type StreamedEvent } from './support/event-stream.ts';
import { tempDir, testHost } from './support/test-host.ts';

const code = 'exports.main = ({ n }) => { console.log("n is", n); return { n }; }';

test('activations are told as they are recorded, whole and with their logs', async () => {
  const host = await testHost();
  await host.deploy('p/f', code);
  await host.invoke('p/f', { n: 'before' });
  const stream = await openEvents(host);
  expect([stream.status, stream.headers['content-type']]).toEqual([200, 'text/event-stream']);
  const record = await host.invoke('p/f', { n: 1 });
  await host.web('p/f?n=2');
  await expect.poll(() => stream.events.length).toBe(2);
  expect(stream.events[0]).toEqual({ event: 'activation', id: record.activationId, record });
  expect(stream.events[0]?.record.logs).toEqual([expect.stringMatching(/stdout: n is 1$/)]);
  expect(stream.events[1]?.record.response.result).toEqual({ n: '2' });
});

test('a name keeps to one function', async () => {
  const host = await testHost();
  for (const name of ['p/f', 'q/f', 'p/g']) await host.deploy(name, code);
  const exact = await openEvents(host, '?name=p/f');
  const bare = await openEvents(host, '?name=f');
  for (const name of ['p/g', 'q/f', 'p/f']) await host.invoke(name, { n: name });
  await expect.poll(() => [exact.events.map(nOf), bare.events.map(nOf)]).toEqual([['p/f'], ['q/f', 'p/f']]);
});

test('a client that comes again is told what it missed, in order, once, also after a restart', async () => {
  const dataDir = tempDir();
  const first = await testHost({ dataDir });
  await first.deploy('p/f', code);
  const stream = await openEvents(first);
  await first.invoke('p/f', { n: 0 });
  await expect.poll(() => stream.events.length).toBe(1);
  await stream.close();
  for (let n = 1; n <= 120; n += 1) await first.invoke('p/f', { n });
  await first.close();
  const second = await testHost({ dataDir });
  const resumed = await openEvents(second, '', { 'last-event-id': stream.events[0]?.id ?? '' });
  await second.invoke('p/f', { n: 121 });
  await expect.poll(() => resumed.events.map(nOf)).toEqual(Array.from({ length: 121 }, (_, index) => index + 1));
});

test('a client that reads slowly loses nothing and holds up nobody', async () => {
  const host = await testHost();
  await host.deploy('p/f', 'exports.main = ({ n }) => { console.log("x".repeat(50_000)); return { n }; }');
  const [slow, quick] = [await openEvents(host), await openEvents(host)];
  slow.pause();
  const calls = 200;
  for (let n = 0; n < calls; n += 1) await host.invoke('p/f', { n });
  await expect.poll(() => quick.events.length).toBe(calls);
  expect(slow.events.length).toBeLessThan(calls);
  slow.resume();
  await expect.poll(() => slow.events.map(nOf)).toEqual(quick.events.map(nOf));
});

test('the stream ends when the host does', async () => {
  const host = await testHost();
  const stream = await openEvents(host);
  await host.close();
  await stream.close();
});

test('the stream of a namespace that is deleted ends with what its slow client has yet to take', async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
  onTestFinished(() => void vi.useRealTimers());
  const host = await testHost({ apiToken });
  const other = await addNamespace(host, 'other');
  await other.deploy('p/f', 'exports.main = ({ n }) => { for (let i = 0; i < 5; i += 1) console.log("x".repeat(50_000)); return { n }; }');
  const [slow, quick] = [await openEvents(other), await openEvents(other)];
  slow.pause();
  for (let n = 0; n < 50; n += 1) await other.invoke('p/f', { n });
  await expect.poll(() => quick.events.length).toBe(50);
  expect((await platform(host, 'DELETE', `/namespaces/${other.namespace}`)).status).toBe(204);
  vi.advanceTimersByTime(60_000);
  slow.resume();
  await slow.ended;
  expect(slow.events.map(nOf)).toEqual(quick.events.map(nOf).slice(0, slow.events.length));
  expect((await host.api('GET', 'activations')).status).toBe(200);
});

test('it takes credentials, GET, and the id of an activation to resume at', async () => {
  const host = await testHost();
  expect((await openEvents(host, '', { authorization: `Basic ${btoa('someone:else')}` })).status).toBe(401);
  expect((await openEvents(host, '', { 'last-event-id': 'yesterday' })).status).toBe(400);
  const authorization = `Basic ${btoa(host.auth)}`;
  expect((await fetch(`${host.url}/_local/events`, { method: 'POST', headers: { authorization } })).status).toBe(405);
});

test('no more than 64 clients follow at a time', async () => {
  const host = await testHost();
  const streams = await Promise.all(Array.from({ length: 64 }, () => openEvents(host)));
  expect((await openEvents(host)).status).toBe(429);
  await streams[0]?.close();
  await expect.poll(async () => (await openEvents(host)).status).toBe(200);
});

function nOf({ record }: StreamedEvent): unknown {
  return record.response.result?.n;
}
