import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { serverlessCommand } from '../../lib/cli/serverless/serverless-command.ts';
import { runServerless, tempDir } from './support/run-serverless.ts';

const bin = (name: string) => fileURLToPath(new URL(`../../build/bin/${name}.mjs`, import.meta.url));

describe('the serverless command line', () => {
  it('has the verbs of the platform, dev and doctor, and an example in the help of each', () => {
    const verbs = serverlessCommand().commands.flatMap((command) =>
      command.commands.length === 0 ? [command] : command.commands.filter((verb) => verb.name() !== 'help'),
    );
    expect(verbs.map((verb) => `${verb.parent?.name() === 'serverless' ? '' : `${verb.parent?.name()} `}${verb.name()}`).sort()).toEqual(
      [
        ['connect', 'deploy', 'dev', 'doctor', 'get-metadata', 'init', 'install', 'status', 'undeploy', 'uninstall', 'upgrade', 'watch'],
        ['list', 'get', 'invoke', 'delete'].map((verb) => `functions ${verb}`),
        ['list', 'get', 'logs', 'result'].map((verb) => `activations ${verb}`),
        ['create', 'delete', 'list', 'get', 'list-regions'].map((verb) => `namespaces ${verb}`),
        ['list', 'get', 'enable', 'disable', 'fire'].map((verb) => `triggers ${verb}`),
        ['create', 'list', 'delete'].map((verb) => `key ${verb}`),
      ]
        .flat()
        .sort(),
    );
    for (const verb of verbs) {
      let help = '';
      verb.configureOutput({ writeOut: (text) => (help += text) }).outputHelp();
      expect(help, verb.name()).toMatch(/Example:\n {2}serverless \S/);
    }
  });

  it('names the nearest for a verb or an option that it does not know, and ends with 1', async () => {
    const place = { cwd: tempDir() };
    expect(await runServerless(place, 'dploy', '.')).toMatchObject({
      code: 1,
      out: '',
      err: expect.stringContaining('Did you mean deploy?'),
    });
    expect(await runServerless(place, 'fn', 'lits')).toMatchObject({ code: 1, err: expect.stringContaining('Did you mean') });
    expect(await runServerless(place, 'deploy', '.', '--incldue', 'x')).toMatchObject({
      code: 1,
      err: expect.stringContaining('--include'),
    });
    expect(await runServerless(place, 'deploy')).toMatchObject({ code: 1, err: expect.stringContaining('directory') });
  });

  it('says that there is nothing to install, upgrade or uninstall', async () => {
    const place = { cwd: tempDir() };
    for (const verb of ['install', 'upgrade', 'uninstall']) {
      expect(await runServerless(place, verb)).toMatchObject({ code: 0, out: expect.stringContaining('No action needed') });
    }
  });

  it('is deckhand serverless too, with sls for short', async () => {
    const child = spawn(process.execPath, [bin('deckhand'), 'sls', 'fn', '--help'], { stdio: ['ignore', 'pipe', 'inherit'] });
    let out = '';
    child.stdout.on('data', (chunk) => (out += chunk));
    const [code] = await once(child, 'close');
    expect([code, out]).toEqual([0, expect.stringContaining('Work with the functions in your namespace')]);
  });

  it('names the commands that come next as they can be typed: by the name it was called by, and through npx where it was', async () => {
    const cwd = tempDir();
    const printedBy = async (name: string, project: string, env: NodeJS.ProcessEnv = {}): Promise<readonly string[]> => {
      const args = [...(name === 'deckhand' ? ['serverless'] : []), 'init', project];
      const { npm_lifecycle_event: _, ...inherited } = process.env;
      const child = spawn(process.execPath, [bin(name), ...args], {
        cwd,
        env: { ...inherited, ...env },
        stdio: ['ignore', 'pipe', 'inherit'],
      });
      let out = '';
      child.stdout.on('data', (chunk) => (out += chunk));
      await once(child, 'close');
      return out.split('\n').filter((line) => line.startsWith('  '));
    };
    expect(await printedBy('serverless', 'one')).toEqual(['  serverless deploy one', '  serverless dev one']);
    expect(await printedBy('deckhand', 'a second')).toEqual([
      "  deckhand serverless deploy 'a second'",
      "  deckhand serverless dev 'a second'",
    ]);
    const npx = { npm_lifecycle_event: 'npx' };
    expect(await printedBy('deckhand', 'three', npx)).toContain('  npx deckhand serverless deploy three');
    expect(await printedBy('serverless', 'four', npx), 'it is never npx serverless').toContain('  npx deckhand serverless deploy four');
  });

  it('ends quietly when nobody reads what it prints', async () => {
    const child = spawn(process.execPath, [bin('serverless'), 'namespaces', 'list-regions'], { stdio: ['ignore', 'pipe', 'pipe'] });
    child.stdout.destroy();
    let err = '';
    child.stderr.on('data', (chunk) => (err += chunk));
    const [code] = await once(child, 'close');
    expect([code, err]).toEqual([0, '']);
  });

  it('prints no colours where there is no terminal', async () => {
    const { out } = await runServerless({ cwd: tempDir() }, '--help');
    expect(out).not.toContain(String.fromCharCode(27));
  });
});
