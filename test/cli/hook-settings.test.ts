import { join } from 'node:path';
import { expect, test } from 'vitest';
import { identifyByToken } from '../../lib/access/callers.ts';
import { hookSettings } from '../../lib/cli/start/hook-settings.ts';
import { readSettings } from '../../lib/functions/settings.ts';
import { tempProject } from '../deployer/support/temp-project.ts';

test('the callers of hooks.yml are let in on a local start, each with a bearer of its own', () => {
  const hook = (name: string, caller: string) => `  ${name}: { verify: github, secret: env:S, caller: ${caller}, on: [] }\n`;
  const folder = tempProject({ 'hooks.yml': `hooks:\n${hook('a', 'ci')}${hook('b', 'ops')}${hook('c', 'ci')}` });
  const { own } = readSettings(hookSettings(join(folder, 'hooks.yml'), { platformUrl: 'http://127.0.0.1:1', token: 'dh_printed' }));
  expect(own && identifyByToken('Bearer dh_printed', own).name).toBe('ci');
  expect(own && identifyByToken('Bearer dh_printed.ops', own).name).toBe('ops');
});
