import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { withLocalSettings } from '../../lib/cli/start/local-settings.ts';
import { readProject } from '../../lib/deployer/read-project.ts';

test('a local start takes over none of the settings that say which platform is called, and by whom', () => {
  const folder = mkdtempSync(join(tmpdir(), 'deckhand-test-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const deployed = {
    PLATFORM_API_TOKEN: 'a',
    ACCESS_TOKENS: 'b',
    JWT_ISSUER: 'c',
    JWT_AUDIENCE: 'd',
    JWT_KEYS: 'e',
    JWT_SCOPES: 'f',
    READ_ONLY: 'true',
    SEAL_KEY: 'g',
  };
  const lines = Object.entries(deployed).map(([name, value]) => `      ${name}: "${value}"\n`);
  writeFileSync(join(folder, 'project.yml'), `packages:\n  - name: gateway\n    environment:\n${lines.join('')}`);
  const { packages } = withLocalSettings(readProject(folder), { platformUrl: 'http://127.0.0.1:1', token: 'dh_x' });
  expect(packages[0]?.environment).toEqual({ PLATFORM_API_URL: 'http://127.0.0.1:1', CONFIRM: 'off', READ_ONLY: 'true', SEAL_KEY: 'g' });
});
