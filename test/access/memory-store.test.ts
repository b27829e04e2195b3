import { afterEach, expect, test, vi } from 'vitest';
import { memoryStore } from '../../lib/access/store/memory-store.ts';

afterEach(() => void vi.useRealTimers());

const hour = 60 * 60_000;

test('has nothing that has ended, and all that has not', async () => {
  vi.useFakeTimers();
  const store = memoryStore();
  for (let n = 0; n < 5000; n++) await store.swap(`early-${n}`, undefined, 'x', hour);
  vi.advanceTimersByTime(2 * hour);
  for (let n = 0; n < 20_000; n++) await store.swap(`late-${n}`, undefined, 'x', 30 * hour);
  expect(await store.get('early-1')).toBeUndefined();
  expect(await store.get('late-1')).toBe('x');
});

test('looks at what it keeps now and then, and not with every write', async () => {
  const store = memoryStore();
  const writes = 5000;
  const looks = await looksDuring(async () => {
    for (let n = 0; n < writes; n++) await store.swap(`key-${n}`, undefined, 'x', hour);
  });
  expect(looks).toBeLessThan(10 * writes);
});

/** How often the time was asked for, which is done once for each key that is looked at. */
async function looksDuring(work: () => Promise<void>): Promise<number> {
  const now = vi.spyOn(Date, 'now');
  await work();
  const { length } = now.mock.calls;
  now.mockRestore();
  return length;
}
