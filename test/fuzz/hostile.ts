import fc, { type Arbitrary } from 'fast-check';

/** Names that mean something to JavaScript's own objects. */
export const prototypeNames = [
  '__proto__',
  'constructor',
  'prototype',
  'toString',
  'hasOwnProperty',
  'valueOf',
  '__defineGetter__',
] as const;

/** What climbs a path, in the encodings that somebody on the way may undo. */
const climbs = [
  '..',
  '.',
  '../../v2/account',
  '..\\..\\',
  '%2e%2e',
  '%2e%2e%2fv2%2faccount',
  '%252e%252e%252f',
  '..%2f',
  '..%c0%af',
  '\u2025',
  '．．／',
  '/v2/account',
  '//evil.example.com',
  'a/../../b',
  'x?y=1',
  'x#y',
  'x;y',
  '@evil.example.com',
  ' ',
  '',
];

/** Texts that have broken programs. */
const odd = [
  '\0',
  'a\r\nX-Injected: 1',
  '\ud800',
  '\u202eevil',
  '\ufeff',
  '𝒳'.repeat(50),
  '#{7*7}',
  '{{7*7}}',
  "'; DROP TABLE droplets; --",
  '<script>',
  '%',
  '%zz',
  'NaN',
  'null',
  '1e309',
  '-0',
  'a'.repeat(70_000),
];

export const hostileText: Arbitrary<string> = fc.oneof(
  fc.constantFrom(...climbs),
  fc.constantFrom(...odd),
  fc.constantFrom(...prototypeNames),
  fc.string({ unit: 'grapheme' }),
  fc.string({ unit: 'binary', maxLength: 40 }),
);

const hostileNumber: Arbitrary<number> = fc.oneof(
  fc.constantFrom(0, -1, 1.5, 2 ** 31, 2 ** 53, -(2 ** 63), 1e21, 5e-324, 1e308),
  fc.integer(),
  fc.double({ noNaN: true, noDefaultInfinity: true }),
);

/** Any value of JSON, with names that stand in the way. Made from text, so that `__proto__` is a name like any other. */
export const hostileValue: Arbitrary<unknown> = fc.letrec<{ value: unknown }>((tie) => ({
  value: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    hostileText,
    hostileNumber,
    fc.boolean(),
    fc.constant(null),
    fc.array(tie('value'), { maxLength: 4 }),
    record(tie('value')),
  ),
})).value;

/** An object with names as a reader of JSON makes it. */
export function record(value: Arbitrary<unknown>, name: Arbitrary<string> = fc.oneof(fc.string(), fc.constantFrom(...prototypeNames))) {
  return fc.array(fc.tuple(name, value), { maxLength: 4 }).map(ofEntries);
}

/** An object with exactly these names, `__proto__` among them. */
export function ofEntries(entries: readonly (readonly [string, unknown])[]): Record<string, unknown> {
  const made: Record<string, unknown> = {};
  for (const [name, value] of entries) Object.defineProperty(made, name, { value, enumerable: true, configurable: true, writable: true });
  return made;
}

/** A text with some of it cut, repeated or replaced. */
export function mutated(text: Arbitrary<string>): Arbitrary<string> {
  const piece = fc.oneof(
    fc.string({ unit: 'binary', maxLength: 3 }),
    fc.constantFrom('{', '}', '[', ']', '"', ',', ':', '\0', '\n', '- ', '&a', '*a', '!!'),
  );
  return fc
    .tuple(text, fc.array(fc.tuple(fc.nat(), fc.nat({ max: 8 }), piece), { maxLength: 4 }))
    .map(([whole, changes]) => changes.reduce((now, [at, length, put]) => changedAt(now, at % (now.length + 1), length, put), whole));
}

function changedAt(text: string, at: number, length: number, put: string): string {
  return text.slice(0, at) + put + text.slice(at + length);
}
