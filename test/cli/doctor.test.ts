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
    const cwd = project({ 'project.yml': 'packages:\n  - nmae: a\n', 'packages/a/fine.js': answering });
    const { code, out } = await runServerless({ cwd }, 'doctor', 'p');
    expect(code).toBe(1);
    expect(out).toContain('error project.yml:2');
  });
});
