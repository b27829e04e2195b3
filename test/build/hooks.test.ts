import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type Project, project } from './project.ts';

const root = join(import.meta.dirname, '../..');

let at: Project;
beforeEach(() => {
  at = project();
  at.write('index.ts', "import { hooks } from 'virtual:hooks';\nconst handler = () => ({ body: hooks });\nexport const main = handler;\n");
  const account = join(root, 'lib/tools/account/index.ts');
  at.write('tools.ts', `import { account } from ${JSON.stringify(account)};\nexport const toolsets = [account];\n`);
});
afterEach(() => at.remove());

const hook = (run: string, more = '') => `hooks:
  target:
    verify: github
    secret: env:CANARY_SECRET
    caller: ci
${more}    on:
      - run: [${run}]
`;
const reads = '{ tool: account-get-information }';
const writes = '{ tool: key-create, with: { Name: x, PublicKey: "=body.key" } }';

describe('a build with a hooks.yml', () => {
  it('is refused where that is wrong, with every line and column', () => {
    at.write(
      '../../../hooks.yml',
      hook('{ tool: account-get-informatoin }, { tool: key-get, with: { ID: maybe } }').replace('github', 'gihub'),
    );
    const { status, stderr } = at.build();
    expect(status).toBe(1);
    expect(stderr).toMatch(/hooks\.yml:3:13: .*did you mean github\?/);
    expect(stderr).toMatch(/hooks\.yml:7:23: .*did you mean account-get-information\?/);
    expect(stderr).toMatch(/hooks\.yml:7:\d+: key-get: ID: expected an integer/);
  });

  it('is refused for a hook that writes while there is no store, unless it says that memory will do', () => {
    at.write('../../../hooks.yml', hook(writes));
    expect(at.build()).toMatchObject({ status: 1, stderr: expect.stringMatching(/hooks\.yml:2:3: .*KV_URL.*dedupe: memory/) });
    at.write('../../../hooks.yml', hook(writes, '    dedupe: memory\n'));
    expect(at.build().status).toBe(0);
    at.write('../../../hooks.yml', hook(writes));
    at.write('../../../settings.env', 'KV_URL=redis://127.0.0.1:6379\n');
    expect(at.build().status).toBe(0);
  });

  it('is made again once there is no store any more, or a first hooks.yml', () => {
    expect(at.build().status).toBe(0);
    at.write('../../../hooks.yml', hook(writes));
    at.write('../../../settings.env', 'KV_URL=redis://127.0.0.1:6379\n');
    expect(at.build()).toMatchObject({ status: 0, stderr: expect.not.stringContaining('up to date') });
    at.write('../../../settings.env', 'KV_URL=redis://127.0.0.1:6379\nLOG=1\n');
    expect(at.build()).toMatchObject({ status: 0, stderr: 'bundle.js is up to date\n' });
    at.write('../../../settings.env', 'LOG=1\n');
    expect(at.build()).toMatchObject({ status: 1, stderr: expect.stringContaining('KV_URL') });
  });

  it('bundles what it says, and of its secrets the names alone', async () => {
    at.write('../../../settings.env', 'CANARY_SECRET=canary-in-the-settings\n');
    at.write('../../../hooks.yml', hook(reads));
    expect(at.build()).toMatchObject({ status: 0 });
    expect(await at.run('main().body')).toMatchObject([{ name: 'target', secrets: ['CANARY_SECRET'] }]);
    expect(readFileSync(join(at.folder, 'bundle.js'), 'utf8')).not.toContain('canary-in-the-settings');
  });
});
