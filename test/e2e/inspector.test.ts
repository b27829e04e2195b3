import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { fetchPackage } from '../support/fetched-package.ts';
import { type Started, started } from '../support/started.ts';

// Over 100 MB with all it needs: fetched where the registry can be reached, never a dependency.
const fetched = await fetchPackage('@modelcontextprotocol/inspector', '2.12.0');
if ('reason' in fetched) process.stderr.write(`the tests with the Inspector are skipped: ${fetched.reason}\n`);

describe.skipIf('reason' in fetched)("the Inspector's command line", () => {
  const home = mkdtempSync(join(tmpdir(), 'deckhand-inspector-'));
  let running: Started;
  beforeAll(async () => {
    running = await started(['--ephemeral']);
  });
  afterAll(async () => {
    await running.end();
    rmSync(home, { recursive: true, force: true });
  });

  /** Runs it against the started router; what it prints is JSON, on stderr where it failed. */
  async function inspect(era: string, ...args: string[]) {
    const launcher = join('folder' in fetched ? fetched.folder : '', 'clients/launcher/build/index.js');
    const { mcp, token } = running.ready;
    const given = ['--cli', mcp, '--protocol-era', era, '--format', 'json', '--header', `Authorization: Bearer ${token}`, ...args];
    const env = { ...process.env, HOME: home };
    return new Promise<{ code: unknown; out: string; errors: string }>((resolve) => {
      execFile(process.execPath, [launcher, ...given], { env, maxBuffer: 2 ** 24 }, (failure, out, errors) =>
        resolve({ code: failure?.code ?? 0, out, errors }),
      );
    });
  }

  it('finds nothing in the schemas of the tools that some client could not take', async () => {
    const { code, errors } = await inspect('legacy', '--method', 'tools/list', '--strict');
    expect(errors).toBe('');
    expect(code).toBe(0);
  });

  describe.each(['legacy', 'auto', 'modern'])('in the %s era', (era) => {
    it('lists every tool', async () => {
      const { code, out } = await inspect(era, '--method', 'tools/list');
      expect(code).toBe(0);
      expect(JSON.parse(out).result.tools).toHaveLength(158);
    });

    it('calls a tool', async () => {
      const { code, out } = await inspect(
        era,
        '--method',
        'tools/call',
        '--tool-name',
        'instance-list',
        '--tool-args-json',
        '{"PerPage":1}',
      );
      expect(code).toBe(0);
      expect(JSON.parse(out).result.structuredContent).toMatchObject({ items: [{ id: expect.any(Number) }], perPage: 1 });
    });

    it('takes a failure of a tool for one', async () => {
      const { code, out, errors } = await inspect(
        era,
        '--method',
        'tools/call',
        '--tool-name',
        'instance-get',
        '--tool-args-json',
        '{"ID":1}',
      );
      expect(code).toBe(5);
      expect(JSON.parse(out).result.structuredContent.error).toMatchObject({ code: 'not_found' });
      expect(errors).toContain('tool_is_error');
    });
  });
});
