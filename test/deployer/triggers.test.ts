import { describe, expect, it } from 'vitest';
import { triggersApi } from '../../lib/deployer/api/triggers-api.ts';
import { type DeployOptions, type DeployOutcome, deployProject } from '../../lib/deployer/deploy-project.ts';
import { readProject } from '../../lib/deployer/read-project.ts';
import { putTriggers, type Triggered } from '../../lib/deployer/upload/put-triggers.ts';
import { problemsOf } from './support/problems-of.ts';
import { type RecordingHost, recordingHost } from './support/recording-host.ts';
import { HELLO, tempProject } from './support/temp-project.ts';

const FILES = { 'packages/jobs/nightly.js': HELLO, 'packages/default/hello.js': HELLO };

/** project.yml with the given triggers of jobs/nightly. */
const withTriggers = (triggers: string): string => `packages: [{name: jobs, functions: [{name: nightly, triggers: [${triggers}]}]}]\n`;
const EVERY_NIGHT = '{name: night, type: scheduled, scheduledDetails: {cron: "0 3 * * *", body: {deep: true}}}';

function deploy(host: RecordingHost, config: string, options: Partial<DeployOptions> = {}): Promise<DeployOutcome> {
  const project = readProject(tempProject({ ...FILES, 'project.yml': config }), { env: {} });
  return deployProject(project, host, { build: 'always', ...options });
}

const triggerCalls = (host: RecordingHost): readonly string[] =>
  host.requests.filter(({ path }) => path.startsWith('/v2/')).map(({ method, path }) => `${method} ${path.split('/').slice(5).join('/')}`);

describe('triggers', () => {
  it('are deleted and made anew, after their function, with the key of the namespace', async () => {
    const host = await recordingHost();
    const outcome = await deploy(host, withTriggers(EVERY_NIGHT));
    expect(triggerCalls(host)).toEqual(['DELETE triggers/night', 'POST triggers']);
    expect(host.triggers.get('night')).toEqual({
      name: 'night',
      function: 'jobs/nightly',
      type: 'SCHEDULED',
      is_enabled: true,
      scheduled_details: { cron: '0 3 * * *', body: { deep: true } },
    });
    expect(outcome).toMatchObject({
      failed: [],
      skipped: [],
      removedTriggers: [],
      triggers: [{ name: 'night', function: 'jobs/nightly', cron: '0 3 * * *', unchanged: false }],
    });
  });

  it('are taken in the legacy form, disabled, without a body, and for a function of the default package', async () => {
    const host = await recordingHost();
    await deploy(
      host,
      'packages: [{name: default, functions: [{name: hello, triggers: [{name: old, enabled: false, sourceType: scheduler, sourceDetails: {cron: "* * * * *"}}]}]}]\n',
    );
    expect(host.triggers.get('old')).toMatchObject({
      function: 'hello',
      is_enabled: false,
      scheduled_details: { cron: '* * * * *' },
    });
  });

  it('that project.yml no longer has are removed, those made by others stay', async () => {
    const host = await recordingHost();
    await deploy(host, withTriggers(`${EVERY_NIGHT}, {name: noon, type: SCHEDULED, scheduledDetails: {cron: "0 12 * * *"}}`));
    const foreign = { name: 'by hand', function: 'jobs/nightly', scheduled_details: { cron: '* * * * *' } };
    host.triggers.set('by hand', foreign);
    const outcome = await deploy(host, withTriggers(EVERY_NIGHT));
    expect(outcome.removedTriggers).toEqual(['noon']);
    expect([...host.triggers.keys()].sort()).toEqual(['by hand', 'night']);
    expect((await deploy(host, '{}\n')).removedTriggers).toEqual(['night']);
    expect([...host.triggers.keys()]).toEqual(['by hand']);
  });

  it('that have moved to another function are not removed with the first', async () => {
    const host = await recordingHost();
    await deploy(host, withTriggers(EVERY_NIGHT));
    const outcome = await deploy(host, `packages: [{name: default, functions: [{name: hello, triggers: [${EVERY_NIGHT}]}]}]\n`);
    expect(outcome.removedTriggers).toEqual([]);
    expect(host.triggers.get('night')).toMatchObject({ function: 'hello' });
  });

  it('are left alone by an incremental deployment where they are just so, and made where they are not', async () => {
    const host = await recordingHost();
    await deploy(host, withTriggers(EVERY_NIGHT));
    host.forgetRequests();
    const again = await deploy(host, withTriggers(EVERY_NIGHT), { incremental: true });
    expect(again.triggers).toMatchObject([{ name: 'night', unchanged: true }]);
    expect(triggerCalls(host)).toEqual(['GET triggers']);
    const changed = await deploy(host, withTriggers(EVERY_NIGHT.replace('0 3', '0 4')), { incremental: true });
    expect(changed.triggers).toMatchObject([{ cron: '0 4 * * *', unchanged: false }]);
    expect(changed.deployed.every((entry) => entry.unchanged)).toBe(true);
    host.triggers.delete('night');
    expect((await deploy(host, withTriggers(EVERY_NIGHT), { incremental: true })).triggers).toMatchObject([{ unchanged: false }]);
  });

  it('that the host refuses are failures of their own; the functions are there', async () => {
    const host = await recordingHost({ refuse: (method) => (method === 'POST' ? 422 : null) });
    const outcome = await deploy(host, withTriggers(EVERY_NIGHT));
    expect(outcome.deployed).toHaveLength(2);
    expect(outcome.failed).toEqual([{ name: 'trigger night', error: expect.stringContaining('the host answered 422: refused with 422') }]);
  });

  it('of a function that failed are not made', async () => {
    const host = await recordingHost({ refuse: (method, path) => (method === 'PUT' && path.includes('nightly') ? 500 : null) });
    const outcome = await deploy(host, withTriggers(EVERY_NIGHT));
    expect(outcome.failed.map((failed) => failed.name)).toEqual(['jobs/nightly']);
    expect(host.triggers.size).toBe(0);
  });

  it('declared twice in a project are refused where it is read', () => {
    const config = `packages:\n  - name: jobs\n    functions:\n      - name: nightly\n        triggers: [${EVERY_NIGHT}]\n  - name: default\n    functions:\n      - name: hello\n        triggers: [${EVERY_NIGHT}]\n`;
    expect(problemsOf({ ...FILES, 'project.yml': config })).toEqual([
      'project.yml:4: function jobs/nightly: the trigger night is declared already, for hello: a namespace has one of a name, rename it',
    ]);
  });
});

describe('triggers on the platform itself', () => {
  const apihost = 'https://faas-ams3-2a2df116.doserverless.co';
  const triggered = (): readonly Triggered[] => {
    const { packages } = readProject(tempProject({ ...FILES, 'project.yml': withTriggers(EVERY_NIGHT) }), { env: {} });
    const entries = packages.flatMap((pack) => pack.functions).filter((entry) => entry.triggers.length > 0);
    return entries.map((entry) => ({ entry, formerTriggers: ['gone'] }));
  };

  it('go to its API with a token of the account', async () => {
    const host = await recordingHost({ accessToken: 'dop_v1_test' });
    const api = triggersApi('fn-test', { apihost, auth: host.auth, accessToken: 'dop_v1_test', platformUrl: host.apihost });
    const outcome = await putTriggers(triggered(), api, { incremental: false, onResult: () => undefined });
    expect(outcome).toMatchObject({ failed: [], triggers: [{ name: 'night' }] });
    expect(host.triggers.get('night')).toMatchObject({ function: 'jobs/nightly' });
  });

  it('are named as not deployed, with what to do, where there is no token', async () => {
    const lines: string[] = [];
    const api = triggersApi('fn-test', { apihost, auth: 'a:b' });
    const outcome = await putTriggers(triggered(), api, { incremental: false, onResult: (line) => lines.push(line) });
    expect(outcome.skipped).toEqual([
      { name: 'trigger night', reason: expect.stringMatching(/^not deployed: .*set DIGITALOCEAN_ACCESS_TOKEN and deploy again$/) },
      { name: 'trigger gone', reason: expect.stringMatching(/^not removed: /) },
    ]);
    expect(lines).toHaveLength(2);
  });
});
