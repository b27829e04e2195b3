import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { compiled } from './support/sender.ts';

const start = (run: string, more = '') => `hooks:
  target:
    verify: github
    secret: env:SECRET
    caller: ci
${more}    on:
      - run: [${run}]
`;

/** What is said of a file that is refused, a problem a line. */
function problemsOf(text: string, hasStore = true): string {
  try {
    compiled(text, hasStore);
  } catch (failure) {
    return failure instanceof Error ? failure.message : String(failure);
  }
  return '';
}

describe('hooks.yml', () => {
  it('becomes data that goes into a bundle as it is', () => {
    const hooks = compiled(start('{ tool: account-get-information }', '    maxBytes: 2000\n    id: body.number\n'));
    expect(JSON.parse(JSON.stringify(hooks))).toEqual(hooks);
    expect(hooks).toEqual([
      {
        name: 'target',
        verify: { kind: 'github' },
        secrets: ['SECRET'],
        caller: 'ci',
        id: { text: 'body.number', plain: { path: ['body', 'number'] } },
        dedupeInMemory: false,
        maxBytes: 2000,
        writes: false,
        rules: [{ run: [{ tool: 'account-get-information', readOnly: true, with: { members: {} } }] }],
      },
    ]);
  });

  it('tells what is an expression from what is written out', () => {
    const [hook] = compiled(start('{ tool: key-create, with: { Name: "==x", PublicKey: "= body.key" } }'), true);
    expect(hook?.rules[0]?.run[0]?.with).toEqual({
      members: { Name: { value: '=x' }, PublicKey: { expression: { text: 'body.key', plain: { path: ['body', 'key'] } } } },
    });
    expect(hook?.writes).toBe(true);
  });

  it('may be empty of hooks', () => {
    expect(compiled('hooks:\n')).toEqual([]);
    expect(compiled('hooks: {}\n')).toEqual([]);
  });

  it('is the one that is shipped, which builds without any setting', () => {
    const text = readFileSync(join(import.meta.dirname, '../../hooks.yml'), 'utf8');
    expect(compiled(text).map(({ name }) => name)).toEqual(['github-deploy', 'slack-ops', 'uptime-down']);
  });

  it.each([
    [
      'an unknown tool',
      start('{ tool: snapshot-instance-tag }'),
      /^hooks\.yml:7:23: .*snapshot-instance-tag.*did you mean snapshot-instances-tag\?/,
    ],
    [
      'an unknown argument',
      start('{ tool: key-create, with: { Nane: x, PublicKey: y } }'),
      /^hooks\.yml:7:43: key-create has no argument "Nane".*did you mean Name\?/,
    ],
    ['a missing argument', start('{ tool: key-create, with: { Name: x } }'), /key-create needs PublicKey/],
    ['arguments missing altogether', start('{ tool: key-create }'), /key-create needs Name, PublicKey/],
    [
      'a value that the tool does not take',
      start('{ tool: key-get, with: { ID: maybe } }'),
      /^hooks\.yml:7:44: key-get: ID: expected an integer/,
    ],
    ['an expression that is none', start('{ tool: key-get, with: { ID: "=body.(" } }'), /^hooks\.yml:7:44: .*not a JSONata expression/],
    ['$eval', start('{ tool: key-get, with: { ID: "=$eval(body.x)" } }'), /\$eval would run what a delivery says/],
    ['$eval in a disguise', start('{ tool: key-get, with: { ID: "=body.x ~> $eval" } }'), /\$eval would run/],
    [
      'an unknown member',
      start('{ tool: account-get-information }', '    secrte: x\n'),
      /^hooks\.yml:6:5: .*"secrte".*did you mean secret\?/,
    ],
    ['a member twice', start('{ tool: account-get-information }', '    caller: x\n'), /^hooks\.yml:6:5: .*unique/],
    ['YAML that is none', 'hooks: [', /^hooks\.yml:1:9: /],
    ['a list', '- hooks', /expected a map of hooks/],
    ['a name that is no segment', 'hooks:\n  My Hook: {}', /^hooks\.yml:2:3: .*small letters/],
    ['a name that is taken', start('{ tool: account-get-information }').replace('target', 'health'), /health: this address is taken/],
    ['an unknown way to verify', start('{ tool: account-get-information }').replace('github', 'gihub'), /:3:13: .*did you mean github\?/],
    ['hmac without its header', start('{ tool: account-get-information }').replace('github', 'hmac'), /needs hmac: \{ header/],
    ['an alias', start('&one { tool: account-get-information }, *one'), /alias/],
    ['no rules', 'hooks:\n  a: { verify: github, secret: env:A, caller: ci }', /:2:3: a: on: expected a list/],
    [
      'too large a limit',
      start('{ tool: account-get-information }', '    maxBytes: 2000000\n'),
      /maxBytes: expected an integer from 1 to 1048576/,
    ],
  ])('is refused, with the place, for %s', (_, text, said) => {
    expect(problemsOf(text)).toMatch(said);
  });

  it('never repeats what stands in the place of a secret', () => {
    const said = problemsOf(start('{ tool: account-get-information }').replace('env:SECRET', 'canary-secret'));
    expect(said).toMatch(/hooks\.yml:4:13: .*expected env:NAME/);
    expect(said).not.toContain('canary');
  });

  it('tells all that is wrong at once', () => {
    const text = start('{ tool: nonsense, with: { A: "=(" } }, { tool: key-get, with: { ID: "=)" } }').replace('caller: ci', 'calls: ci');
    expect(problemsOf(text).split('\n')).toHaveLength(5);
  });

  it('may write without a store only where it says that memory will do', () => {
    const write = '{ tool: key-create, with: { Name: x, PublicKey: "=body.key" } }';
    expect(problemsOf(start(write), false)).toMatch(/^hooks\.yml:2:3: target calls what changes something.*KV_URL.*dedupe: memory/);
    expect(problemsOf(start(write), true)).toBe('');
    expect(problemsOf(start(write, '    dedupe: memory\n'), false)).toBe('');
    expect(problemsOf(start('{ tool: account-get-information }'), false)).toBe('');
  });
});
