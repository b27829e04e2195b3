import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { localSettings, localToken } from '../../lib/cli/start/local-settings.ts';
import { readProject } from '../../lib/deployer/read-project.ts';
import { HELLO, tempProject } from '../deployer/support/temp-project.ts';
import { tempDir } from './support/run-serverless.ts';

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
function environmentOf(name: string) {
  const project = readProject(tempProject({ 'packages/gateway/router.js': HELLO, 'packages/gateway/hooks.js': HELLO }), { env: {} });
  return localSettings(project, { platformUrl: 'http://127.0.0.1:1', token: 'dh_x' }, { ACCESS_TOKENS: 'h' })(name, deployed);
}

test('a local start takes over none of the settings that say which platform is called, and by whom', () => {
  const here = { PLATFORM_API_URL: 'http://127.0.0.1:1', CONFIRM: 'off', READ_ONLY: 'true', SEAL_KEY: 'g' };
  expect(environmentOf('gateway/router')).toEqual(here);
  expect(environmentOf('gateway/hooks')).toEqual({ ...here, ACCESS_TOKENS: 'h' });
});

test('a function that is none of the project keeps what it was deployed with', () => {
  expect(environmentOf('gateway/other')).toBe(deployed);
});

test.each(['', ' \n'])('a token file that has nothing but %j in it has a token made, which stays', (text) => {
  const dataDir = tempDir();
  writeFileSync(join(dataDir, 'token'), text);
  const token = localToken(dataDir);
  expect(token).toMatch(/^dh_[0-9a-f]{48}$/);
  expect(localToken(dataDir)).toBe(token);
});
