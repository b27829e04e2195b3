import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, existsSync, mkdirSync, openSync, symlinkSync, writeFileSync } from 'node:fs';
import { basename, delimiter, dirname, join } from 'node:path';
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
      expect(help, verb.name()).toMatch(/Example:\n {2}npx deckhand serverless \S/);
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
      expect(JSON.parse((await runServerless(place, verb, '--json')).out)).toEqual({ message: expect.any(String) });
    }
  });

  it('is deckhand serverless too, with sls for short', async () => {
    const child = spawn(process.execPath, [bin('deckhand'), 'sls', 'fn', '--help'], { stdio: ['ignore', 'pipe', 'inherit'] });
    let out = '';
    child.stdout.on('data', (chunk) => (out += chunk));
    const [code] = await once(child, 'close');
    expect([code, out]).toEqual([0, expect.stringContaining('Work with the functions in your namespace')]);
  });

  it('names the commands that come next as they can be typed: by the name that is on the PATH, and otherwise through npx', async () => {
    const cwd = tempDir();
    const dirWithBins = (...path: readonly string[]): string => {
      const dir = join(tempDir(), ...path);
      mkdirSync(dir, { recursive: true });
      for (const name of ['deckhand', 'serverless']) symlinkSync(bin(name), join(dir, name));
      return dir;
    };
    const printedBy = async (script: string, project: string, dir: string, byNpm?: string): Promise<readonly string[]> => {
      const args = [...(basename(script, '.mjs') === 'deckhand' ? ['serverless'] : []), 'init', project];
      const { npm_lifecycle_event: _, ...inherited } = process.env;
      const env = { ...inherited, PATH: [dir, '/usr/bin', '/bin'].join(delimiter), ...(byNpm && { npm_lifecycle_event: byNpm }) };
      const child = spawn(process.execPath, [script, ...args], { cwd, env, stdio: ['ignore', 'pipe', 'inherit'] });
      let out = '';
      child.stdout.on('data', (chunk) => (out += chunk));
      await once(child, 'close');
      return out.split('\n').filter((line) => line.startsWith('  '));
    };
    const installed = dirWithBins('bin');
    expect(await printedBy(join(installed, 'serverless'), 'one', installed)).toEqual(['  serverless deploy one', '  serverless dev one']);
    expect(await printedBy(bin('deckhand'), 'a second', installed)).toEqual([
      "  deckhand serverless deploy 'a second'",
      "  deckhand serverless dev 'a second'",
    ]);
    const local = dirWithBins('node_modules', '.bin');
    for (const [name, dir, byNpm] of [
      ['deckhand', '/nowhere', undefined],
      ['serverless', '/nowhere', undefined],
      ['serverless', local, 'npx'],
      ['deckhand', local, 'a-script'],
    ] as const) {
      const printed = await printedBy(join(local, name), `${name}-${byNpm}`, dir, byNpm);
      expect(printed, `${name} by ${byNpm}`).toContain(`  npx deckhand serverless deploy ${name}-${byNpm}`);
    }
    const unrelated = join(tempDir(), 'serverless');
    writeFileSync(unrelated, '#!/bin/sh\n', { mode: 0o755 });
    const path = [dirname(unrelated), installed].join(delimiter);
    expect(await printedBy(join(installed, 'serverless'), 'last', path)).toContain('  npx deckhand serverless deploy last');
  });

  // No user may make a folder there, whoever runs the tests.
  it.skipIf(process.platform !== 'linux')('tells in a sentence what the machine refuses the user, and ends with 1', async () => {
    const { code, err } = await runServerless({ cwd: tempDir() }, 'init', '/sys/project');
    expect(code).toBe(1);
    expect(err).toMatch(/^serverless: E(ACCES|PERM|ROFS): .*\/sys\/project.*: .*another place\n$/);
  });

  it.skipIf(process.platform === 'win32')('tells in a sentence of a place where no file can be', async () => {
    const cwd = tempDir();
    writeFileSync(join(cwd, 'file'), '');
    for (const name of ['file/project', 'x'.repeat(300)]) {
      const { code, err } = await runServerless({ cwd }, 'init', name);
      expect([code, err]).toEqual([1, expect.stringMatching(/^serverless: E(NOTDIR|NAMETOOLONG): .*: no file can be there; .*\n$/)]);
    }
  });

  it('ends quietly when nobody reads what it prints', async () => {
    const child = spawn(process.execPath, [bin('serverless'), 'namespaces', 'list-regions'], { stdio: ['ignore', 'pipe', 'pipe'] });
    child.stdout.destroy();
    let err = '';
    child.stderr.on('data', (chunk) => (err += chunk));
    const [code] = await once(child, 'close');
    expect([code, err]).toEqual([0, '']);
  });

  it.skipIf(!existsSync('/dev/full'))('says so when what it prints cannot be written, as on a full disk', async () => {
    const full = openSync('/dev/full', 'w');
    const child = spawn(process.execPath, [bin('serverless'), 'namespaces', 'list-regions'], { stdio: ['ignore', full, 'pipe'] });
    closeSync(full);
    let err = '';
    child.stderr?.on('data', (chunk) => (err += chunk));
    const [code] = await once(child, 'close');
    expect([code, err]).toEqual([1, expect.stringMatching(/^what was to be printed cannot be written: ENOSPC.*\n$/)]);
  });

  it('prints no colours where there is no terminal', async () => {
    const { out } = await runServerless({ cwd: tempDir() }, '--help');
    expect(out).not.toContain(String.fromCharCode(27));
  });
});
