import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type FixtureServer, startFixture } from './fixture-server.ts';
import { complaintsOf } from './main.ts';
import { revisions, runSuite } from './run-suite.ts';

let fixture: FixtureServer;

beforeAll(async () => {
  fixture = await startFixture();
});

afterAll(() => fixture.close());

describe('the official conformance suite', () => {
  it.each(revisions)(
    'has no complaint about revision %s, each request an invocation of its own',
    { timeout: 180_000 },
    async (revision) => {
      const found = await runSuite(fixture.url, revision);
      expect(complaintsOf(found)).toEqual([]);
      expect(found.scenarios.filter(({ scored }) => scored).length).toBeGreaterThanOrEqual(30);
    },
  );

  it('is heard when it complains', { timeout: 180_000 }, async () => {
    const nothing = fixture.url.replace('/mcp', '/nothing');
    const complaints = complaintsOf(await runSuite(nothing, '2025-11-25'));
    expect(complaints).toContainEqual('the suite ended with 1');
    expect(complaints).toContainEqual(expect.stringMatching(/^tools-list: FAILURE/));
  });
});
