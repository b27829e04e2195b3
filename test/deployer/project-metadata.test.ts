import { describe, expect, it } from 'vitest';
import { deployProject } from '../../lib/deployer/deploy-project.ts';
import { projectMetadata } from '../../lib/deployer/project-metadata.ts';
import { readProject } from '../../lib/deployer/read-project.ts';
import { recordingHost } from './support/recording-host.ts';
import { HELLO, tempProject } from './support/temp-project.ts';

const CONFIG = `
targetNamespace: fn-test
environment: \${<settings.env}
packages:
  - name: p
    functions:
      - name: built
        runtime: nodejs:22
        web: raw
        environment: {WHO: "\${WHO}"}
        limits: {timeout: 4000}
        triggers: [{name: night, type: scheduled, scheduledDetails: {cron: "0 3 * * *"}}]
      - {name: both, sequence: [p/built, p/single]}
`;
const FILES = {
  'project.yml': CONFIG,
  'packages/p/built/package.json': '{}',
  'packages/p/built/index.js': HELLO,
  'packages/p/single.js': HELLO,
  'packages/p/notes.txt': '',
};

describe('the metadata of a project', () => {
  it('says what it holds, also where variables have no value, and names those', () => {
    const metadata = projectMetadata(readProject(tempProject(FILES), { env: {}, unresolved: 'list' }));
    expect(metadata).toEqual({
      targetNamespace: 'fn-test',
      packages: [
        {
          name: 'p',
          shared: false,
          functions: [
            { name: 'both', package: 'p', sequence: ['p/built', 'p/single'], web: true },
            {
              name: 'built',
              package: 'p',
              file: 'packages/p/built',
              build: 'package.json',
              runtime: 'nodejs:22',
              web: 'raw',
              environment: { WHO: '' },
              limits: { timeout: 4000 },
              triggers: [{ name: 'night', type: 'SCHEDULED', enabled: true, scheduledDetails: { cron: '0 3 * * *' } }],
            },
            { name: 'single', package: 'p', file: 'packages/p/single.js', web: true },
          ],
        },
      ],
      strays: ['packages/p/notes.txt'],
      unresolvedVariables: ['<settings.env', 'WHO'],
    });
  });

  it('has the values where there are any', () => {
    const metadata = projectMetadata(readProject(tempProject({ ...FILES, 'settings.env': 'A=1\n' }), { env: { WHO: 'me' } }));
    expect(metadata).not.toHaveProperty('unresolvedVariables');
    expect(metadata).toMatchObject({ packages: [{ environment: { A: '1' }, functions: [{}, { environment: { WHO: 'me' } }, {}] }] });
  });

  it('is all that a project without its values is good for', async () => {
    const host = await recordingHost();
    const project = readProject(tempProject(FILES), { env: {}, unresolved: 'list' });
    await expect(deployProject(project, host, { build: 'always' })).rejects.toThrow('project.yml has no value for <settings.env, WHO');
    expect(host.requests).toEqual([]);
  });
});
