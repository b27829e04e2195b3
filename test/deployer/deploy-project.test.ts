import { describe, expect, it } from 'vitest';
import { deployProject } from '../../lib/deployer/deploy-project.ts';
import { readProject } from '../../lib/deployer/read-project.ts';
import { recordingHost } from './support/recording-host.ts';
import { HELLO, tempProject } from './support/temp-project.ts';

describe('a first deployment', () => {
  it('asks what the host runs and whose key it is, puts packages, then functions', async () => {
    const host = await recordingHost();
    const dir = tempProject({ 'packages/tools/hello.js': HELLO });
    const outcome = await deployProject(readProject(dir, { env: {} }), host, { build: 'always' });
    expect(outcome).toMatchObject({
      namespace: 'fn-test',
      deployed: [{ name: 'tools/hello', version: '0.0.1', unchanged: false, bytes: HELLO.length, kind: 'nodejs:24' }],
      skipped: [],
      failed: [],
    });
    expect(outcome.deployed[0]?.url).toBe(`${host.apihost}/api/v1/web/fn-test/tools/hello`);
    expect(host.requests.map(({ method, path }) => `${method} ${path}`)).toEqual([
      'GET /api/v1',
      'GET /api/v1/namespaces',
      'PUT /api/v1/namespaces/_/packages/tools?overwrite=true',
      'GET /api/v1/namespaces/_/actions/tools/hello?code=false',
      'PUT /api/v1/namespaces/_/actions/tools/hello?overwrite=true',
    ]);
    expect(host.requests[0]?.authorization).toBeUndefined();
  });
});
