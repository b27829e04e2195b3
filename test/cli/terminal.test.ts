import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { runServerless, startServerless, tempDir, terminalProblem } from './support/run-serverless.ts';
import { sharedHost } from './support/shared-host.ts';

const shared = sharedHost();
const problem = terminalProblem();
if (problem) process.stderr.write(`what is shown on a terminal is not tried: ${problem}\n`);

/** What begins the words that a terminal is told and does not show, such as those for bold text. */
const escapeCode = String.fromCharCode(27);
const bold = `${escapeCode}[1m`;

/** What the keys send to a terminal, which interrupts the program by it. */
const ctrlC = String.fromCharCode(3);

/** A directory with a project `p` in it, whose package `a` holds these functions. */
function projectWith(functions: Readonly<Record<string, string>>): string {
  const cwd = tempDir();
  mkdirSync(join(cwd, 'p/packages/a'), { recursive: true });
  for (const [name, code] of Object.entries(functions)) writeFileSync(join(cwd, 'p/packages/a', name), code);
  return cwd;
}

describe.skipIf(problem !== null)('the command line, on a terminal', () => {
  it('lets headings and findings stand out, but not with NO_COLOR, nor where the result goes elsewhere', async () => {
    const { dir } = shared();
    const cwd = projectWith({ 'silent.js': 'exports.main = () => ({ greeting: 1 });\n' });
    for (const [place, args, text] of [
      [{ cwd: dir }, ['functions', 'list'], 'Latest Update'],
      [{ cwd }, ['doctor', 'p'], 'warning'],
    ] as const) {
      expect((await runServerless({ ...place, terminal: true }, ...args)).out).toContain(`${bold}${text}`);
      const plain = await runServerless({ ...place, terminal: true, env: { NO_COLOR: '1' } }, ...args);
      expect(plain.out).toContain(text);
      expect(plain.out).not.toContain(escapeCode);
      const { out, err } = await runServerless(place, ...args);
      expect(out).toContain(text);
      expect(out + err).not.toContain(escapeCode);
    }
  });

  it('shows runs that went well in green and others in red, and ends by Ctrl-C', async () => {
    const cwd = projectWith({
      'fine.js': "exports.main = () => ({ body: 'fine' });\n",
      'fails.js': 'exports.main = () => process.exit(1);\n',
    });
    const developing = startServerless({ cwd, terminal: true }, 'dev', 'p', '--port', '0');
    const shown = await developing.until('out', 'watching p');
    for (const [name, outcome] of [
      ['a/fine', `${escapeCode}[32m200`],
      ['a/fails', `${escapeCode}[31m400`],
    ] as const) {
      await fetch(new RegExp(`http://\\S+/${name}`).exec(shown)?.[0] ?? '');
      await developing.until('out', outcome);
    }
    developing.type(ctrlC);
    expect(await developing.ended).toMatchObject({ code: 0 });
  });

  it('asks before it deletes a namespace, and deletes it for yes alone', async () => {
    const { dir } = shared();
    await runServerless({ cwd: dir }, 'namespaces', 'create', '-l', 'asked', '-r', 'nyc', '--no-connect');
    const answered = async (answer: string) => {
      const asking = startServerless({ cwd: dir, terminal: true }, 'namespaces', 'delete', 'asked');
      await asking.until('out', '(y/N)');
      asking.type(answer);
      return asking.ended;
    };
    expect(await answered('n')).toMatchObject({ code: 1, out: expect.stringContaining('not confirmed; nothing was done') });
    expect((await runServerless({ cwd: dir }, 'namespaces', 'list')).out).toContain('asked');
    expect(await answered('y')).toMatchObject({ code: 0, out: expect.stringContaining('Namespace successfully deleted') });
    expect((await runServerless({ cwd: dir }, 'namespaces', 'list')).out).not.toContain('asked');
  });

  it('asks which of several namespaces is meant, and connects to that one', async () => {
    const { dir, host } = shared();
    const place = { cwd: dir, env: { NIMBELLA_DIR: join(tempDir(), 'credentials') }, terminal: true };
    for (const label of ['team-blue', 'team-red']) {
      await runServerless({ cwd: dir }, 'namespaces', 'create', '-l', label, '-r', 'nyc', '--no-connect');
    }
    const chosen = async (number: (offered: string) => string) => {
      const choosing = startServerless(place, 'connect', 'team');
      choosing.type(number(await choosing.until('out', 'Choose a namespace by number: ')));
      return choosing.ended;
    };
    expect(await chosen(() => '7')).toMatchObject({
      code: 1,
      out: expect.stringContaining('"7" is none of the numbers; nothing was done'),
    });
    const red = /(\d): (fn-\S+) in nyc1, label=team-red/;
    const connected = await chosen((offered) => red.exec(offered)?.[1] ?? '');
    const [, , namespace = ''] = red.exec(connected.out) ?? [];
    expect(connected).toMatchObject({
      code: 0,
      out: expect.stringContaining(`Connected to functions namespace '${namespace}' on API host '${host.url}'`),
    });
  });
});
