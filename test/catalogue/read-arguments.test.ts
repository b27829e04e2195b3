import { describe, expect, it } from 'vitest';
import { type ReadingOptions, readArguments } from '../../lib/catalogue/read-arguments.ts';
import type { ObjectSchema } from '../../lib/catalogue/schema.ts';
import { ToolError } from '../../lib/errors.ts';

const schema: ObjectSchema = {
  type: 'object',
  properties: {
    ID: { type: 'integer', minimum: 1 },
    Name: { type: 'string' },
    Kind: { type: 'string', enum: ['http', 'https', 'ping'] },
    Enabled: { type: 'boolean' },
    Ratio: { type: 'number' },
    Tags: { type: 'array', items: { type: 'string' } },
    Rules: {
      type: 'array',
      items: { type: 'object', properties: { Port: { type: 'integer' } }, required: ['Port'], additionalProperties: false },
    },
    Config: { type: 'object' },
    Fields: { anyOf: [{ type: 'string' }, { type: 'array', items: { type: 'string' } }] },
    Page: { type: 'integer', minimum: 1, default: 1 },
  },
  required: ['ID'],
  additionalProperties: false,
};

const read = (given: unknown, options = {}) => readArguments('some-tool', schema, given, options);

function problemsOf(given: unknown, options = {}) {
  try {
    read(given, options);
  } catch (failure) {
    if (failure instanceof ToolError) return { message: failure.message, code: failure.code, problems: failure.details.problems };
    throw failure;
  }
  throw new Error('nothing was refused');
}

describe('reading arguments', () => {
  it.each([
    ['takes them as they were declared', { ID: 1, Name: 'a' }, { ID: 1, Name: 'a', Page: 1 }],
    ['matches names without regard to case', { id: 1, NAME: 'a' }, { ID: 1, Name: 'a', Page: 1 }],
    ['takes a canonical integer in a string', { ID: '12' }, { ID: 12, Page: 1 }],
    ['matches enum values without regard to case', { ID: 1, Kind: 'HTTPS' }, { ID: 1, Kind: 'https', Page: 1 }],
    ['takes null for an optional argument as an omitted one', { ID: 1, Name: null, Page: null }, { ID: 1, Page: 1 }],
    ['takes the same value under two spellings once', { ID: 1, id: 1 }, { ID: 1, Page: 1 }],
    ['reads nested objects by the same rules', { ID: 1, Rules: [{ port: '80' }] }, { ID: 1, Rules: [{ Port: 80 }], Page: 1 }],
    ['lets an open object keep names of its own', { ID: 1, Config: { any_thing: 1 } }, { ID: 1, Config: { any_thing: 1 }, Page: 1 }],
    ['takes either form where there are two', { ID: 1, Fields: ['id', 'name'] }, { ID: 1, Fields: ['id', 'name'], Page: 1 }],
    ['takes the empty string for a plain text', { ID: 1, Name: '' }, { ID: 1, Name: '', Page: 1 }],
  ])('%s', (_, given, expected) => {
    expect(read(given)).toEqual(expected);
  });

  it.each([
    ['a fraction', { ID: 1000.7 }, '1000.7'],
    ['a fraction in a string', { ID: '1000.7' }, '"1000.7"'],
    ['an integer above what a number holds exactly', JSON.parse('{"ID":9007199254740993}'), '9007199254740992'],
    ['such an integer in a string', { ID: '9007199254740993' }, '"9007199254740993"'],
    ['an exponent', { ID: '1e3' }, '"1e3"'],
    ['a leading zero', { ID: '012' }, '"012"'],
    ['a climbing path', { ID: '../1' }, '"../1"'],
    ['an encoded climbing path', { ID: '%2e%2e' }, '"%2e%2e"'],
    ['a query', { ID: '1?x=1' }, '"1?x=1"'],
    ['a fragment', { ID: '1#x' }, '"1#x"'],
    ['a NUL', { ID: '1\u0000' }, '"1\\u0000"'],
    ['zero', { ID: 0 }, '0'],
    ['a boolean', { ID: true }, 'true'],
    ['a list', { ID: [1] }, '[1]'],
  ])('refuses %s for an id', (_, given, got) => {
    expect(problemsOf(given).problems).toEqual([{ field: 'ID', got, expected: 'an integer from 1' }]);
  });

  it('tells all problems at once, each with what was got and what is allowed', () => {
    const { code, message, problems } = problemsOf({ nme: 'x', Kind: 'htps', Enabled: 'yes', Tags: 'web', Rules: [{ Port: 1.5 }, {}] });
    expect(code).toBe('invalid_arguments');
    expect(problems).toEqual([
      { field: 'nme', got: '"x"', expected: expect.stringContaining('ID, Name, Kind'), nearest: 'Name' },
      { field: 'ID', expected: 'an integer from 1; it is required' },
      { field: 'Kind', got: '"htps"', expected: 'one of http, https, ping', nearest: 'https' },
      { field: 'Enabled', got: '"yes"', expected: 'true or false' },
      { field: 'Tags', got: '"web"', expected: 'a list of strings' },
      { field: 'Rules[0].Port', got: '1.5', expected: 'an integer' },
      { field: 'Rules[1].Port', expected: 'an integer; it is required' },
    ]);
    expect(message).toMatch(/^some-tool: nme: expected one of .*, got "x" \(did you mean Name\?\); ID: /);
  });

  it('knows a short name by two letters that have changed places', () => {
    expect(problemsOf({ ID: 1, Nmae: 'x' }).problems).toMatchObject([{ field: 'Nmae', nearest: 'Name' }]);
    expect(problemsOf({ ID: 1, Mnae: 'x' }).problems).not.toMatchObject([{ nearest: expect.any(String) }]);
  });

  it('refuses one name twice with different values', () => {
    expect(problemsOf({ ID: 1, id: 2 }).problems).toEqual([{ field: 'id', got: '2', expected: 'one value for ID; it was given twice' }]);
  });

  it.each([[[]], ['text'], [7]])('refuses %j in place of an object', (given) => {
    expect(problemsOf(given).problems?.[0]).toMatchObject({ expected: 'an object' });
  });

  it('takes names out of the prototype for plain names', () => {
    const given = JSON.parse('{"ID":1,"__proto__":{"Name":"x"},"constructor":1}');
    expect(problemsOf(given).problems?.map(({ field }) => field)).toEqual(['__proto__', 'constructor']);
    expect(read(JSON.parse('{"ID":1,"Config":{"__proto__":{"polluted":true}}}')).Config).not.toHaveProperty('polluted');
  });

  it('tells no more problems than somebody reads', () => {
    const many = Object.fromEntries(Array.from({ length: 1000 }, (_, index) => [`x${index}`, index]));
    const { message, problems } = problemsOf(many);
    expect(problems).toHaveLength(20);
    expect(message).toContain('and 981 more');
    expect(message.length).toBeLessThan(10_000);
  });

  it('takes no longer for those that it does not tell', () => {
    const named = (count: number, name: string) => Array.from({ length: count }, (_, index) => `${name.repeat(6)}${index}`);
    const many: ObjectSchema = {
      type: 'object',
      properties: Object.fromEntries(named(100, 'Field').map((name) => [name, { type: 'string' }])),
      additionalProperties: false,
    };
    const hostile = Object.fromEntries(named(20_000, 'Feild').map((name) => [name, 1]));
    const beganAt = performance.now();
    expect(() => readArguments('some-tool', many, hostile)).toThrow('and 19980 more');
    // Finding the nearest for each of them takes ten times as long and more.
    expect(performance.now() - beganAt).toBeLessThan(5000);
  });

  it('cuts long values in what it tells', () => {
    expect(problemsOf({ ID: 'x'.repeat(1000) }).problems?.[0]?.got?.length).toBe(80);
  });

  it('reads text forms only where the values are text', () => {
    const given = { ID: '1', Enabled: 'true', Tags: 'web,db', Config: '{"a":1}' };
    expect(read(given, { text: true })).toEqual({ ID: 1, Enabled: true, Tags: ['web', 'db'], Config: { a: 1 }, Page: 1 });
    expect(problemsOf(given).problems?.map(({ field }) => field)).toEqual(['Enabled', 'Tags', 'Config']);
  });

  it.each(['..', '.', '', 'a/b', 'a\\b', 'a?b', 'a#b', '%2e%2e', 'a\u0000', 'a\nb'])('refuses %j where it stands in a path', (Name) => {
    expect(problemsOf({ ID: 1, Name }, { path: ['Name'] }).problems?.[0]?.field).toBe('Name');
  });
});

describe('reading arguments by what the tool says beside its schema', () => {
  const nested: ObjectSchema = {
    type: 'object',
    properties: {
      ForwardingRules: {
        type: 'array',
        items: { type: 'object', properties: { EntryPort: { type: 'integer' } }, required: ['EntryPort'], additionalProperties: false },
      },
      OtherRules: {
        type: 'array',
        items: { type: 'object', properties: { EntryPort: { type: 'integer' } }, required: ['EntryPort'], additionalProperties: false },
      },
      Slack: { type: 'array', items: { type: 'string' } },
      count: { type: 'string' },
      flag: { type: 'string' },
      config_json: { type: 'string' },
      rules: {
        type: 'array',
        items: { type: 'object', properties: { value: { type: 'string' } }, required: ['value'], additionalProperties: false },
      },
      config: { type: 'object', properties: { known: { type: 'integer' } } },
      PrivateKey: { type: 'string' },
      source: { type: 'object', properties: { port: { type: 'integer' } }, additionalProperties: false },
    },
    additionalProperties: false,
  };
  const rules = {
    aliases: { SlackDetails: 'Slack', 'the service': 'Slack', config_text: 'config_json' },
    snakeCaseIn: ['ForwardingRules'],
    texts: { count: 'integer', flag: 'boolean', config_json: 'object', 'rules.value': 'id' },
  } as const;
  const readBy = (given: unknown, more: ReadingOptions['rules'] = rules) => readArguments('some-tool', nested, given, { rules: more });
  const refusedBy = (given: unknown, more: ReadingOptions['rules'] = rules) => {
    try {
      readBy(given, more);
    } catch (failure) {
      if (failure instanceof ToolError) return { message: failure.message, problems: failure.details.problems };
      throw failure;
    }
    throw new Error('nothing was refused');
  };

  it.each([
    ['an alias', { slackdetails: ['a'] }, { Slack: ['a'] }],
    ['an alias of several words', { 'the service': ['a'] }, { Slack: ['a'] }],
    [
      'names in snake_case in the objects of some arguments',
      { ForwardingRules: [{ entry_port: 80 }] },
      { ForwardingRules: [{ EntryPort: 80 }] },
    ],
    ['an integer for its text', { count: 6 }, { count: '6' }],
    ['an integer as text', { count: '6' }, { count: '6' }],
    ['a boolean for its text', { flag: true }, { flag: 'true' }],
    ['a boolean as text in any case', { flag: 'False' }, { flag: 'false' }],
    ['an object for its text', { config_json: { a: 1 } }, { config_json: '{"a":1}' }],
    ['an object as text, as it is', { config_json: '{ "a": 1 }' }, { config_json: '{ "a": 1 }' }],
    ['the value itself under an alias', { config_text: { a: 1 } }, { config_json: '{"a":1}' }],
    ['a number for an id', { rules: [{ value: 163973392 }, { value: 'web' }] }, { rules: [{ value: '163973392' }, { value: 'web' }] }],
    [
      'null in an open object, for the platform to judge',
      { config: { known: null, other: null } },
      { config: { known: null, other: null } },
    ],
  ])('takes %s', (_, given, expected) => {
    expect(readBy(given)).toEqual(expected);
  });

  it.each([
    ['an alias and its argument with different values', { Slack: ['a'], SlackDetails: ['b'] }, 'SlackDetails', 'given twice'],
    ['snake_case where it was not said', { OtherRules: [{ entry_port: 80 }] }, 'OtherRules[0].entry_port', 'one of EntryPort'],
    ['snake_case of an argument itself', { forwarding_rules: [] }, 'forwarding_rules', 'one of'],
    [
      'an unknown name beside snake_case',
      { ForwardingRules: [{ entry_prt: 80, EntryPort: 1 }] },
      'ForwardingRules[0].entry_prt',
      'one of EntryPort',
    ],
    ['a fraction as an integer text', { count: '1.5' }, 'count', 'an integer from 1, as text or number'],
    ['a fraction as an integer', { count: 1.5 }, 'count', 'an integer from 1'],
    ['zero as an integer from 1', { count: 0 }, 'count', 'an integer from 1'],
    ['a word as a boolean text', { flag: 'yes' }, 'flag', 'true or false'],
    ['a list as an object text', { config_json: '[1]' }, 'config_json', 'a JSON object'],
    ['no JSON as an object text', { config_json: '{a:1}' }, 'config_json', 'a JSON object'],
    ['a type in an open object that is known', { config: { known: 'x' } }, 'config.known', 'an integer'],
  ])('refuses %s', (_, given, field, expected) => {
    expect(refusedBy(given).problems).toEqual(
      expect.arrayContaining([expect.objectContaining({ field, expected: expect.stringContaining(expected) })]),
    );
  });

  it('tells what the check finds together with the types, and what it says of mistyped arguments not at all', () => {
    const seen: unknown[] = [];
    const check = (input: Readonly<Record<string, unknown>>) => {
      seen.push(input);
      return [
        { field: 'count', expected: 'less' },
        { field: 'Slack, flag', expected: 'at least one of them' },
        { field: 'rules[0].value', expected: 'an address' },
      ];
    };
    const { problems } = refusedBy({ count: 'many', rules: [{ value: 'x' }], flag: true }, { ...rules, check });
    expect(problems?.map(({ field }) => field)).toEqual(['count', 'Slack, flag', 'rules[0].value']);
    expect(problems?.[0]).toMatchObject({ got: '"many"' });
    expect(seen).toEqual([{ rules: [{ value: 'x' }], flag: 'true' }]);
    expect(refusedBy({ flag: 'yes' }, { ...rules, check }).problems?.map(({ field }) => field)).toEqual([
      'flag',
      'count',
      'rules[0].value',
    ]);
  });

  it.each([
    ['under its name', { PrivateKey: { pem: 'hush' } }],
    ['under its name in another case', { privatekey: ['hush'] }],
    ['inside a secret object', { source: { port: 'hush' } }],
    ['in place of a secret object', { source: 'postgres://me:hush@db' }],
    ['under a misspelt name', { PrivatKey: 'hush' }],
  ])('never repeats a secret, %s', (_, given) => {
    const refused = refusedBy(given, { secrets: ['PrivateKey', 'source'] });
    expect(JSON.stringify(refused)).not.toContain('hush');
    expect(refused.problems?.[0]?.got).toBe('a value that is not shown');
  });
});
