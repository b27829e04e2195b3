import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { runServerless, tempDir } from './support/run-serverless.ts';

function project(files: Readonly<Record<string, string>>): string {
  const cwd = tempDir();
  for (const [name, content] of Object.entries(files)) {
    mkdirSync(dirname(join(cwd, 'p', name)), { recursive: true });
    writeFileSync(join(cwd, 'p', name), content);
  }
  return cwd;
}

const answering = "exports.main = () => ({ body: 'hello' });\n";

describe('doctor', () => {
  it('finds nothing in a new project', async () => {
    const cwd = tempDir();
    await runServerless({ cwd }, 'init', 'p');
    expect(await runServerless({ cwd }, 'doctor', 'p')).toMatchObject({ code: 0, out: expect.stringContaining('nothing found') });
  });

  it('tells what will fail on the platform, where, and how to mend it, and ends with 1', async () => {
    const cwd = project({
      'packages/a/zipped/package.json': '{"type":"module","main":"bundle.js"}',
      'packages/a/zipped/bundle.js': answering,
      'packages/a/zipped/words.txt': 'word',
      'packages/a/fine.js': answering,
    });
    const { code, out, err } = await runServerless({ cwd }, 'doctor', 'p');
    expect(code).toBe(1);
    expect(err).toContain('p: 1 finding will fail on the platform');
    expect(out).toMatch(/^error packages\/a\/zipped\/\S+ \(a\/zipped\)\n {2}.*type.*module.*\n {2}fix: \S/m);
    expect(out).not.toContain('a/fine');
  });

  it('knows what fails or surprises: modules in a zip, raw TypeScript, no body, code near the limit, a comment in .include', async () => {
    const cwd = project({
      'packages/a/module/package.json': '{"type":"module","main":"bundle.js"}',
      'packages/a/module/bundle.js': answering,
      'packages/a/raw/index.ts': 'export const main = (): object => ({ body: 1 });\n',
      'packages/a/silent.js': 'exports.main = () => ({ greeting: 1 });\n',
      'packages/a/listed/.include': '# the bundle\nbundle.js\n',
      'packages/a/listed/bundle.js': answering,
      'packages/a/large.js': `${answering}// ${'x'.repeat(44 * 1024 * 1024)}\n`,
    });
    const { code, out } = await runServerless({ cwd }, 'doctor', 'p');
    expect(code).toBe(1);
    for (const found of [
      /^error packages\/a\/module\/bundle\.js .*\n.*"type": "module"/m,
      /^error packages\/a\/raw .*\n.*TypeScript/m,
      /^warning packages\/a\/silent\.js .*\n.*body/m,
      /^warning packages\/a\/large\.js .*\n.*48 MB/m,
      /^error packages\/a\/listed\/\.include:1\n.*"# the bundle" .* has no comments/m,
    ])
      expect(out).toMatch(found);
    expect(out.match(/^(error|warning|note) /gm)).toHaveLength(5);
  });

  it('ends well where something may only surprise, and says what it could not look at', async () => {
    const cwd = project({
      'packages/a/silent.js': 'exports.main = () => ({ greeting: 1 });\n',
      'packages/a/built/package.json': '{"scripts":{"build":"echo"}}',
      'packages/a/built/.include': 'bundle.js\n',
    });
    const { code, out } = await runServerless({ cwd }, 'doctor', 'p', '--json');
    expect(code).toBe(0);
    expect(JSON.parse(out).findings).toMatchObject([
      { function: 'a/built', severity: 'note', message: expect.stringContaining('its build has not been run') },
      { function: 'a/silent', severity: 'warning', message: expect.stringContaining('body') },
    ]);
  });

  it('tells everything that is wrong in project.yml, with lines', async () => {
    const cwd = project({ 'project.yml': 'packages:\n  - nmae: a\n    wbe: raw\n', 'packages/a/fine.js': answering });
    const { code, out } = await runServerless({ cwd }, 'doctor', 'p');
    expect(code).toBe(1);
    expect(out).toContain('error project.yml:2\n');
    expect(out).toContain('error project.yml:3\n');
  });

  it.each([
    ['is no YAML', 'packages: [\n', 'error project.yml:2\n'],
    ['is wrong', 'packages:\n  - name: a\n    wbe: raw\n', 'error project.yml:3\n'],
    ['has tabs and is wrong', 'packages:\n  - name: a\t\n    wbe: raw\n', 'error project.yml:2\n  has a tab'],
  ])('looks at the files all the same where project.yml %s, and not at what it may have declared', async (_, config, expected) => {
    const cwd = project({
      'project.yml': config,
      'packages/a/broken.js': 'exports.main = ( => ({ body: 1 });\n',
      // Whether these surprise depends on what is declared of them.
      'packages/a/silent.js': 'exports.main = () => ({ greeting: 1 });\n',
      'packages/a/named.js': "exports.other = () => ({ body: 'hello' });\n",
      'packages/a/packed.zip': '',
    });
    const { code, out } = await runServerless({ cwd }, 'doctor', 'p');
    expect(code).toBe(1);
    expect(out).toContain(expected);
    if (config.includes('wbe')) expect(out).toMatch(/^error project\.yml:3\n.*"wbe"/m);
    expect(out).toMatch(/^error packages\/a\/broken\.js:1 \(a\/broken\)\n {2}SyntaxError/m);
    expect(out).toMatch(/^note project\.yml\n.*only the files were looked at/m);
    expect(out).not.toMatch(config === 'packages: [\n' ? /silent|named|packed/ : /silent|named/);
  });

  it('names what is wrong in project.yml also where a function is asked for that may be declared there', async () => {
    const cwd = project({ 'project.yml': 'packages: [\n', 'packages/a/fine.js': answering });
    const { code, out, err } = await runServerless({ cwd }, 'doctor', 'p', '--include', 'a/sequence');
    expect([code, out, err]).toEqual([1, expect.stringContaining('error project.yml:2\n'), expect.stringContaining('1 finding will fail')]);
  });
});
