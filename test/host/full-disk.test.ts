import { randomBytes } from 'node:crypto';
import { DatabaseSync } from 'node:sqlite';
import { expect, test, vi } from 'vitest';
import { testHost } from './support/test-host.ts';

test('says that the disk is full where a function does not fit, keeps nothing of it and goes on', async () => {
  const opening = vi.spyOn(DatabaseSync.prototype, 'exec');
  const told: string[] = [];
  const host = await testHost({ onProgress: (line) => told.push(line) });
  // A spy's contexts are untyped; `exec` is called on databases alone.
  const store = opening.mock.contexts.at(-1) as DatabaseSync;
  opening.mockRestore();
  const large = `exports.main = () => ({ body: 'here' }) // ${randomBytes(200_000).toString('hex')}`;

  store.exec('PRAGMA max_page_count = 1'); // SQLite takes it for: no page more than there are.
  expect((await host.deploy('default/large', large)).status).toBe(500);
  expect(told.join('\n')).toContain('database or disk is full');
  expect((await host.api('GET', 'actions')).body).toEqual([]);

  store.exec('PRAGMA max_page_count = 1000000');
  expect((await host.deploy('default/large', large)).status).toBe(200);
  expect(await (await host.web('default/large')).text()).toBe('here');
});
