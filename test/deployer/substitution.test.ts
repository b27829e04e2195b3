// biome-ignore-all lint/suspicious/noTemplateCurlyInString: project.yml writes its variables this way
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { type ReadOptions, readProject } from '../../lib/deployer/read-project.ts';
import { problemsOf } from './support/problems-of.ts';
import { HELLO, tempProject } from './support/temp-project.ts';

const PROJECT = { 'packages/tools/hello.js': HELLO };

/** The parameters of the package of a project.yml with the given text after `parameters: `. */
function parametersOf(text: string, files: Readonly<Record<string, string>> = {}, options: ReadOptions = {}): unknown {
  const dir = tempProject({ ...PROJECT, ...files, 'project.yml': `packages: [{name: tools}]\nparameters: ${text}\n` });
  return readProject(dir, { env: {}, ...options }).packages[0]?.parameters;
}

describe('substitution in project.yml', () => {
  it('takes variables from the environment first, then from .env', () => {
    const env = { A: 'from env' };
    expect(parametersOf('{a: "${A}", b: "${ B }"}', { '.env': 'A=from file\nB="from file"\n' }, { env })).toEqual({
      a: 'from env',
      b: 'from file',
    });
  });

  it('reads the env file that is named instead of .env, as lines or as JSON', () => {
    const other = tempProject({ 'lines.env': 'A=lines\n', 'values.json': '{"A": "json", "N": 5}' });
    const files = { '.env': 'A=dotenv\n' };
    expect(parametersOf('{a: "${A}"}', files, { envFile: join(other, 'lines.env') })).toEqual({ a: 'lines' });
    expect(parametersOf('{a: "${A}", n: ${N}}', files, { envFile: join(other, 'values.json') })).toEqual({ a: 'json', n: 5 });
    expect(() => parametersOf('{}', {}, { envFile: join(other, 'none') })).toThrow(/the env file .*none does not exist/);
  });

  it('is textual: a value becomes whatever YAML reads', () => {
    expect(parametersOf('${ALL}', {}, { env: { ALL: '{n: 5, list: [a, b]}' } })).toEqual({ n: 5, list: ['a', 'b'] });
  });

  it('writes line breaks of a value as \\n, and keeps them after a bar', () => {
    const env = { TEXT: 'one\ntwo', BLOCK: 'one\n    two' };
    expect(parametersOf('{t: "${TEXT}"}', {}, { env })).toEqual({ t: 'one\ntwo' });
    expect(parametersOf('\n  t: |\n    ${|BLOCK}', {}, { env })).toEqual({ t: 'one\ntwo\n' });
  });

  it('makes a dictionary of several variables', () => {
    const env = { A: '1', B: 'say "hi"' };
    expect(parametersOf('$(A B)', {}, { env })).toEqual({ A: '1', B: 'say "hi"' });
    expect(parametersOf('$(A\n  B)', {}, { env })).toEqual({ A: '1', B: 'say "hi"' });
    expect(parametersOf('${A B}', {}, { env })).toEqual({ A: '1', B: 'say "hi"' });
  });

  it('makes a dictionary of a file of JSON or of lines', () => {
    const files = { 'settings/values.json': '{"deep": {"n": 1}}', 'settings.env': '# comment\nKEY=a=b\nQUOTED="x y"\n' };
    expect(parametersOf('${<settings/values.json}', files)).toEqual({ deep: { n: 1 } });
    expect(parametersOf('${< settings.env }', files)).toEqual({ KEY: 'a=b', QUOTED: 'x y' });
  });

  it.each([
    [
      'an unset variable',
      '{a: "${GONE}"}',
      "project.yml:2: the variable GONE has no value: set it in the environment or in the project's .env file",
    ],
    ['an empty variable', '{a: "${EMPTY}"}', 'project.yml:2: the variable EMPTY has no value'],
    ['one of a dictionary', '$(SET GONE)', 'project.yml:2: the variable GONE has no value'],
    ['a missing file', '${<gone.env}', 'project.yml:2: the file gone.env does not exist'],
    ['an empty file', '${<empty.env}', 'project.yml:2: the file empty.env holds no values'],
    ['no name', '{a: "${}"}', 'project.yml:2: "${}" names no variable'],
    ['no end', '{a: "${GONE\n}', 'project.yml:2: "${" is not closed'],
    ['a number that is missing', '{}\ntargetNamespace: ${GONE}', 'project.yml:3: the variable GONE has no value'],
  ])('refuses %s and says nothing of what follows from it', (_, text, expected) => {
    const files = { ...PROJECT, 'empty.env': '', 'project.yml': `packages: [{name: tools}]\nparameters: ${text}\n` };
    const problems = problemsOf(files, { env: { SET: 'x', EMPTY: '' } });
    expect(problems).toHaveLength(1);
    expect(problems[0]).toContain(expected);
  });

  it('names every missing variable, beside the problems of other lines', () => {
    const problems = problemsOf({
      ...PROJECT,
      'project.yml': 'packages:\n  - name: ${ONE}\n    shared: 3\nparameters: {a: "${TWO}", b: "${THREE}"}\nbad: 1\n',
    });
    expect(problems.map((problem) => problem.split(' (')[0]?.slice(0, 60))).toEqual([
      expect.stringContaining('project.yml:2: the variable ONE'),
      expect.stringContaining('project.yml:3: package'),
      expect.stringContaining('project.yml:4: the variable TWO'),
      expect.stringContaining('project.yml:4: the variable THREE'),
      expect.stringContaining('project.yml:5: project.yml: unknown key "bad"'),
    ]);
  });

  it('counts lines as the file has them, whatever was substituted above', () => {
    const env = { BLOCK: 'a\n    b\n    c', A: '1', B: '2' };
    const text = 'parameters:\n  t: |\n    ${|BLOCK}\n  d: $(A\n    B)\nbad: 1\n';
    expect(problemsOf({ ...PROJECT, 'project.yml': text }, { env })).toEqual([
      expect.stringContaining('project.yml:6: project.yml: unknown key "bad"'),
    ]);
  });

  it('refuses a tab that a value brings in, and never shows the value', () => {
    const problems = problemsOf({ ...PROJECT, 'project.yml': 'packages: []\nparameters: {a: "${T}"}\n' }, { env: { T: 'hunter2\t' } });
    expect(problems).toEqual(['project.yml:2: has a tab, which the platform refuses: use spaces']);
    const broken = problemsOf({ ...PROJECT, 'project.yml': 'packages: []\nparameters: ${T}\n' }, { env: { T: '{hunter2' } });
    expect(broken.length).toBeGreaterThan(0);
    expect(broken.join()).not.toContain('hunter2');
  });
});
