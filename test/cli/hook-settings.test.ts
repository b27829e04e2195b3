import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { identifyByToken } from '../../lib/access/callers.ts';
import { withHookSettings } from '../../lib/cli/start/hook-settings.ts';
import { readProject } from '../../lib/deployer/read-project.ts';
import { readSettings } from '../../lib/functions/settings.ts';

test('the callers of hooks.yml are let in on a local start, each with a bearer of its own', () => {
  const folder = mkdtempSync(join(tmpdir(), 'deckhand-test-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  writeFileSync(join(folder, 'project.yml'), 'packages:\n  - name: gateway\n    functions:\n      - name: hooks\n');
  mkdirSync(join(folder, 'packages/gateway'), { recursive: true });
  writeFileSync(join(folder, 'packages/gateway/hooks.js'), 'exports.main = () => ({})');
  const hook = (name: string, caller: string) => `  ${name}: { verify: github, secret: env:S, caller: ${caller}, on: [] }\n`;
  writeFileSync(join(folder, 'hooks.yml'), `hooks:\n${hook('a', 'ci')}${hook('b', 'ops')}${hook('c', 'ci')}`);
  const project = withHookSettings(readProject(folder), join(folder, 'hooks.yml'), {
    platformUrl: 'http://127.0.0.1:1',
    token: 'dh_printed',
  });
  const environment = Object.entries(project.packages[0]?.functions[0]?.environment ?? {});
  const { own } = readSettings(Object.fromEntries(environment.map(([name, value]) => [name, String(value)])));
  expect(own && identifyByToken('Bearer dh_printed', own).name).toBe('ci');
  expect(own && identifyByToken('Bearer dh_printed.ops', own).name).toBe('ops');
});
