import { describe, expect, it } from 'vitest';
import { DeployError } from '../../lib/deployer/deploy-error.ts';
import type { ProjectFunction } from '../../lib/deployer/project.ts';
import { readProject } from '../../lib/deployer/read-project.ts';
import { problemsOf } from './support/problems-of.ts';
import { HELLO, tempProject } from './support/temp-project.ts';

/** project.yml with one function `tools/hello` that has the given lines, beginning on line 5. */
const withFunction = (...lines: readonly string[]): Readonly<Record<string, string>> => ({
  'packages/tools/hello.js': HELLO,
  'project.yml': [
    'packages:',
    '  - name: tools',
    '    functions:',
    '      - name: hello',
    ...lines.map((line) => `        ${line}`),
    '',
  ].join('\n'),
});

/** project.yml with a package `tools` that has the given lines, beginning on line 3. */
const withPackage = (...lines: readonly string[]): Readonly<Record<string, string>> => ({
  'packages/tools/hello.js': HELLO,
  'project.yml': ['packages:', '  - name: tools', ...lines.map((line) => `    ${line}`), ''].join('\n'),
});

const withTop = (...lines: readonly string[]): Readonly<Record<string, string>> => ({
  'packages/tools/hello.js': HELLO,
  'project.yml': `${lines.join('\n')}\n`,
});

function onlyFunction(files: Readonly<Record<string, string>>): ProjectFunction {
  const [entry] = readProject(tempProject(files), { env: {} }).packages.flatMap((pack) => pack.functions);
  if (entry === undefined) throw new Error('the project has no function');
  return entry;
}

describe('keys of project.yml', () => {
  it.each([
    ['top', withTop('package: []'), 'project.yml:1: project.yml: unknown key "package"; did you mean "packages"?'],
    ['top annotations', withTop('annotations: {}'), 'project.yml:1: project.yml: unknown key "annotations"'],
    ['package', withPackage('enviroment: {}'), 'project.yml:3: package tools: unknown key "enviroment"; did you mean "environment"?'],
    ['function', withFunction('runtme: nodejs:24'), 'project.yml:5: function tools/hello: unknown key "runtme"; did you mean "runtime"?'],
    ['function, key with an empty value', withFunction('timeout:'), 'project.yml:5: function tools/hello: unknown key "timeout"'],
    [
      'limits',
      withFunction('limits:', '  time: 1'),
      'project.yml:6: function tools/hello: limits: unknown key "time"; did you mean "timeout"?',
    ],
    ['prototype names', withFunction('constructor: 1'), 'project.yml:5: function tools/hello: unknown key "constructor"'],
    [
      'trigger',
      withFunction('triggers:', '  - name: t', '    typ: scheduled', '    scheduledDetails: {cron: "* * * * *"}'),
      'project.yml:7: function tools/hello: triggers: unknown key "typ"; did you mean "type"?',
    ],
    [
      'binding',
      withPackage('binding: {namespace: a, nam: b}'),
      'project.yml:3: package tools: binding: unknown key "nam"; did you mean "name"?',
    ],
  ])('refuses an unknown key: %s', (_, files, expected) => {
    expect(problemsOf(files).join('\n')).toContain(expected);
  });

  it('lists the keys that are allowed', () => {
    expect(problemsOf(withFunction('limits: {cpu: 2}'))).toEqual([
      'project.yml:5: function tools/hello: limits: unknown key "cpu" (allowed: timeout, memory, logs)',
    ]);
  });

  it('takes empty values for absent ones, as templates leave them', () => {
    const entry = onlyFunction(withFunction('runtime: ""', 'main: ""', 'limits:', 'environment:', 'parameters: {}'));
    expect(entry).toMatchObject({ runtime: null, main: null, limits: {}, environment: {}, parameters: {} });
  });

  it('takes actions for functions, and refuses both at once', () => {
    const files = withPackage('actions:', '  - name: hello', '    web: raw');
    expect(onlyFunction(files).web).toBe('raw');
    expect(problemsOf(withPackage('actions: [{name: hello}]', 'functions: [{name: hello}]'))[0]).toContain(
      'functions and actions mean the same: keep one',
    );
  });
});

describe('values of project.yml', () => {
  it.each([
    [withTop('packages: {}'), 'project.yml:1: project.yml: packages: expected a list of packages, got keys and values'],
    [withTop('parameters: [1]'), 'project.yml:1: project.yml: parameters: expected keys and values, got a list'],
    [
      withTop('environment:', '  A: 1'),
      'project.yml:2: project.yml: environment: A: expected a string, got a number: put the value in quotes',
    ],
    [withTop('environment:', '  A: true'), 'project.yml:2: project.yml: environment: A: expected a string, got a boolean'],
    [withTop('environment:', '  A:'), 'project.yml:2: project.yml: environment: A: expected a string, got nothing'],
    [withTop('targetNamespace: [a]'), 'project.yml: targetNamespace: expected keys and values, got a list'],
    [withTop('targetNamespace: 5'), 'project.yml: targetNamespace: expected a namespace, or test and production, got the number 5'],
    [withTop('just text'), 'project.yml:1: project.yml: expected keys and values, got the string "just text"'],
    [withTop('packages: [{}]'), 'project.yml:1: packages[0]: a name is needed'],
    [withTop('packages: [tools]'), 'project.yml:1: packages[0]: a name is needed'],
    [withTop('packages: [{name: 7}]'), 'package 0: name: expected a string, got the number 7'],
    [withTop('packages: [{name: "a/b"}]'), '"a/b" cannot be a name'],
    [withTop('packages: [{name: a_tmp_b}]'), 'the platform leaves out every path with _tmp_ in it'],
    [withPackage('shared: maybe'), 'project.yml:3: package tools: shared: expected true or false, got the string "maybe"'],
    [withPackage('web: yes'), 'package tools: web: expected true, false or \'raw\', got the string "yes"'],
    [withPackage('binding: {namespace: a}'), 'package tools: binding: namespace and name (of the package) are both needed'],
    [withPackage('functions: {}'), 'package tools: functions: expected a list of functions, got keys and values'],
    [withPackage('functions: [{web: raw}]'), 'package tools: functions[0]: a name is needed'],
    [withFunction('web: 1'), "function tools/hello: web: expected true, false or 'raw', got the number 1"],
    [withFunction('webSecure: true'), 'function tools/hello: webSecure: expected false or a secret as a string, got the boolean true'],
    [withFunction('main: [a]'), 'function tools/hello: main: expected a string, got a list'],
    [withFunction('binary: "no"'), 'function tools/hello: binary: expected true or false, got the string "no"'],
    [
      withFunction('runtime: node24'),
      'function tools/hello: runtime: expected language:version, for example nodejs:24, got the string "node24"',
    ],
    [withFunction('runtime: nodjs:24'), 'function tools/hello: runtime: "nodjs:24" is no known runtime; did you mean "nodejs:24"?'],
    [withFunction('parameters: text'), 'function tools/hello: parameters: expected keys and values, got the string "text"'],
    [
      withFunction('environment:', '  A: {b: c}'),
      'project.yml:6: function tools/hello: environment: A: expected a string, got keys and values',
    ],
    [
      withFunction('annotations:', '  web-export: true'),
      'project.yml:6: function tools/hello: annotations: "web-export" is not set as an annotation: use web',
    ],
    [withFunction('annotations: {raw-http: true}'), '"raw-http" is not set as an annotation: use web: raw'],
    [withFunction('annotations: {require-whisk-auth: x}'), '"require-whisk-auth" is not set as an annotation: use webSecure'],
    [
      withFunction('limits: {timeout: "3000"}'),
      'function tools/hello: limits: timeout: expected a whole number of milliseconds from 100 to 900000, got the string "3000"',
    ],
    [withFunction('limits: {memory: 0}'), 'limits: memory: expected a whole number of MB from 128 to 1024, got the number 0'],
    [withFunction('limits: {timeout: 900001}'), 'milliseconds from 100 to 900000, got the number 900001'],
    [withFunction('limits: {memory: 2048}'), 'MB from 128 to 1024, got the number 2048'],
    [withFunction('limits: {logs: 1.5}'), 'limits: logs: expected a whole number of MB from 0 to 16, got the number 1.5'],
    [withFunction('limits: {logs: .inf}'), 'is not a number that JSON can carry'],
    [
      withFunction('remoteBuild: true', 'localBuild: true'),
      'function tools/hello: remoteBuild and localBuild exclude each other: keep one',
    ],
    [
      withFunction('parameters: {day: 2026-01-02}'),
      '"2026-01-02" means a date, another number or text to the platform\'s own YAML reader: put it in quotes',
    ],
    [withFunction('parameters: {mode: 0755}'), '"0755" means a date, another number or text'],
    [withFunction('parameters: {at: 12:30}'), '"12:30" means a date, another number or text'],
    [withFunction('triggers: {}'), 'function tools/hello: triggers: expected a list of triggers, got keys and values'],
    [withFunction('triggers: [{name: t}]'), 'triggers: a trigger needs type: scheduled and scheduledDetails with a cron'],
    [
      withFunction('triggers: [{name: t, type: queue, scheduledDetails: {cron: "* * * * *"}}]'),
      'triggers: type: expected "scheduled", got the string "queue"',
    ],
    [withFunction('triggers: [{name: t, type: scheduled, scheduledDetails: {body: {}}}]'), 'scheduledDetails: a schedule needs cron'],
    [
      withFunction('triggers: [{name: t, type: scheduled, scheduledDetails: {cron: "* * * *"}}]'),
      'cron: "* * * *" has 4 fields, a schedule has five',
    ],
    [
      withFunction('triggers: [{name: t, type: scheduled, scheduledDetails: {cron: "61 * * * *"}}]'),
      '"61" is no minute in "61 * * * *": expected 0-59',
    ],
    [withFunction('triggers: [{name: t, type: scheduled, scheduledDetails: {cron: "* * * * MON"}}]'), '"MON" is no day of the week'],
    [
      withFunction('triggers: [{name: t, type: scheduled, enabled: 1, scheduledDetails: {cron: "* * * * *"}}]'),
      'triggers: enabled: expected true or false',
    ],
  ])('refuses %#: %s', (files, expected) => {
    const problems = problemsOf(files);
    expect(problems.join('\n')).toContain(expected);
    expect(problems.every((problem) => /^project\.yml:\d+: /.test(problem))).toBe(true);
  });

  it('never shows the value of a secret', () => {
    const problems = problemsOf(withFunction('environment: {KEY: [hunter2]}', 'annotations: {require-whisk-auth: hunter2}'));
    expect(problems).toHaveLength(2);
    expect(problems.join()).not.toContain('hunter2');
  });

  it('takes the sequences and schedules that the platform takes', () => {
    const files = withPackage(
      'functions:',
      '  - name: hello',
      '    triggers:',
      '      - {name: a, type: SCHEDULED, enabled: false, scheduledDetails: {cron: "*/5 0-6 1,15 * 1", body: {tool: x}}}',
      '      - {name: b, sourceType: scheduler, sourceDetails: {cron: "0 5 * * *", withBody: {y: 1}}}',
      '  - name: both',
      '    sequence: [tools/hello, tools/hello]',
    );
    const functions = readProject(tempProject(files), { env: {} }).packages[0]?.functions;
    expect(functions?.find((entry) => entry.name === 'hello')?.triggers).toEqual([
      { name: 'a', enabled: false, cron: '*/5 0-6 1,15 * 1', body: { tool: 'x' } },
      { name: 'b', enabled: true, cron: '0 5 * * *', body: { y: 1 } },
    ]);
    expect(functions?.find((entry) => entry.name === 'both')?.source).toEqual({
      type: 'sequence',
      components: ['tools/hello', 'tools/hello'],
    });
  });

  it.each([
    ['runtime, main', ['runtime: nodejs:24', 'main: x', 'sequence: [a]']],
    ['binary', ['binary: true', 'sequence: [a]']],
  ])('refuses a sequence with code of its own: %s', (keys, lines) => {
    expect(problemsOf(withFunction(...lines))).toContain(
      `project.yml:4: function tools/hello: a sequence has no code of its own: remove ${keys}`,
    );
  });
});

describe('all at once', () => {
  it('lists every problem of every file, in the order of the lines, before anything is built', () => {
    const dir = tempProject({
      'project.yml':
        'targetNamespace: 5\npackages:\n  - name: tools\n    functions:\n      - name: hello\n        web: 1\n        limts: {}\n      - name: missing\n',
      'packages/tools/hello/index.js': HELLO,
      'packages/tools/hello/build.sh': '#!/bin/sh\ntouch ../../../built\n',
      'packages/tools/hello/.include': '# the bundle\nindex.js\n',
      'packages/tools/hello/.ignore': 'x\n',
    });
    const failure = (() => {
      try {
        readProject(dir, { env: {} });
      } catch (error) {
        return error;
      }
      return null;
    })();
    expect(failure).toBeInstanceOf(DeployError);
    // Checked on the line above.
    const { problems, message, code } = failure as DeployError;
    expect(code).toBe('invalid_project');
    const list = 'packages/tools/hello/.include';
    expect(problems.map((problem) => problem.file)).toEqual([...Array(4).fill('project.yml'), list, list]);
    expect(problems.filter((problem) => problem.file === 'project.yml').map((problem) => problem.line)).toEqual([1, 6, 7, 8]);
    expect(problems.filter((problem) => problem.file === 'packages/tools/hello/.include').map((problem) => problem.line)).toEqual([
      null,
      1,
    ]);
    expect(message).toContain('has 6 problems; nothing was built or deployed:\n');
    for (const problem of problems) expect(message).toContain(problem.message);
  });

  it.each([
    ['no valid YAML', 'packages: [\n', 'project.yml:2: not valid YAML'],
    ['a key twice', 'packages: []\npackages: []\n', 'project.yml:2: not valid YAML: Map keys must be unique'],
    ['a tab', 'packages:\n\t- name: tools\n', 'project.yml:2: has a tab, which the platform refuses: use spaces'],
    ['a tab at the end of a line', 'packages: []\t\n', 'project.yml:1: has a tab'],
    ['nothing in it', '# nothing\n', 'project.yml: is empty'],
    ['endless aliases', 'parameters: &a\n  b: *a\n', 'project.yml:2: the aliases (*name) of this file expand without end'],
  ])('refuses a project.yml with %s', (_, text, expected) => {
    const problems = problemsOf({ 'project.yml': text, 'packages/tools/hello.js': HELLO });
    expect(problems).toHaveLength(1);
    expect(problems[0]).toContain(expected);
  });

  it('points a misnamed project file out', () => {
    expect(problemsOf({ 'project.yaml': 'packages: []\n', 'packages/tools/hello.js': HELLO })).toEqual([
      'project.yml: is missing, and project.yaml is not read: rename it to project.yml',
    ]);
  });

  it('refuses a directory that is none, and one without functions', () => {
    expect(() => readProject('/nowhere/at/all')).toThrow('/nowhere/at/all is no directory');
    expect(problemsOf({ 'readme.md': 'x' })).toEqual([
      'packages: holds no function: put one at packages/<package>/<function>.js, or as a directory there',
    ]);
  });
});

describe('what packages and functions inherit', () => {
  it('merges parameters and environment of the project into each package, the package winning', () => {
    const files = {
      'packages/a/x.js': HELLO,
      'packages/b/y.js': HELLO,
      'project.yml':
        'parameters: {p: 1, q: 1}\nenvironment: {E: top, F: top}\npackages:\n  - name: a\n    parameters: {q: {deep: [2]}}\n    environment: {F: package}\n    shared: true\n    annotations: {note: n}\n    functions:\n      - name: x\n        parameters: {r: 3}\n        environment: {G: function}\n',
    };
    const [a, b] = readProject(tempProject(files), { env: {} }).packages;
    expect(a).toMatchObject({
      name: 'a',
      shared: true,
      annotations: { note: 'n' },
      parameters: { p: 1, q: { deep: [2] } },
      environment: { E: 'top', F: 'package' },
    });
    expect(b).toMatchObject({ name: 'b', shared: false, parameters: { p: 1, q: 1 }, environment: { E: 'top', F: 'top' } });
    expect(a?.functions[0]).toMatchObject({ parameters: { r: 3 }, environment: { G: 'function' } });
  });

  it.each([
    ['nothing said', [], true],
    ['the package', ['web: raw'], 'raw'],
    ['the function over the package', ['web: raw', 'functions: [{name: hello, web: false}]'], false],
  ])('takes web from %s', (_, lines, expected) => {
    expect(onlyFunction(withPackage(...lines)).web).toBe(expected);
  });

  it('follows anchors and merge keys', () => {
    const entry = onlyFunction(withFunction('environment: &base {A: one, B: two}', 'parameters:', '  <<: *base', '  B: own'));
    expect(entry.parameters).toEqual({ B: 'own', A: 'one' });
  });

  it.each([
    ['parameters: {a: 1}', 'project.yml:3: package default: takes no parameters'],
    ['environment: {A: b}', 'project.yml:3: package default: takes no environment'],
    ['annotations: {a: 1}', 'project.yml:3: package default: takes no annotations'],
    ['shared: true', 'project.yml:3: package default: takes no shared'],
    ['binding: {namespace: n, name: p}', 'project.yml:3: package default: takes no binding'],
  ])('refuses a default package with %s', (line, expected) => {
    const problems = problemsOf({
      'packages/default/hello.js': HELLO,
      'project.yml': `packages:\n  # the one without a name\n  - name: default\n    ${line}\n`,
    });
    expect(problems.some((problem) => problem.startsWith(expected))).toBe(true);
  });

  it('refuses parameters of the project beside a default package, even one that is only on the disk', () => {
    const problems = problemsOf({
      'packages/default/hello.js': HELLO,
      'project.yml': 'packages: []\nparameters: {a: 1}\nenvironment: {B: c}\n',
    });
    expect(problems[0]).toMatch(/^project\.yml:2: project\.yml: parameters of the project go to its packages/);
    expect(problems[1]).toMatch(/^project\.yml:3: project\.yml: environment of the project go to its packages/);
  });

  it('refuses names declared twice', () => {
    expect(problemsOf(withTop('packages:', '  - name: tools', '  - name: tools'))).toEqual([
      'project.yml:3: the package tools is declared twice, first on line 2: keep one',
    ]);
    expect(problemsOf(withPackage('functions: ', '  - name: hello', '  - name: hello'))).toEqual([
      'project.yml:5: in package tools the function hello is declared twice, first on line 4: keep one',
    ]);
  });
});
