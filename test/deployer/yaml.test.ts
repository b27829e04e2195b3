import { createRequire } from 'node:module';
import { describe, expect, it } from 'vitest';
import { parseLocated, plainValue } from '../../lib/deployer/config/located.ts';

// The reader of the platform's deployer, of the version that it brings along.
const jsYaml: { safeLoad(text: string): unknown } = createRequire(createRequire(import.meta.url).resolve('@nimbella/nimbella-deployer'))(
  'js-yaml',
);

function read(text: string): { readonly value: unknown; readonly problems: readonly string[] } {
  const problems: string[] = [];
  const root = parseLocated(
    text,
    (line) => line,
    (_, message) => problems.push(message),
  );
  return { value: root === null ? null : plainValue(root), problems };
}

describe('a plain value of project.yml', () => {
  it.each([
    ['yes', 'no', 'on', 'off', 'Yes', 'ON', 'y', 'n'],
    ['true', 'True', 'TRUE', 'false', 'null', 'Null', '~', ''],
    ['1', '-1', '+1', '0', '1.5', '1e3', '.5', '0x1F', '1.2.3', '24.x', 'nodejs:24', '5m', '- a', 'a b'],
    ['"yes"', "'1'", '"0 5 * * *"', '[a, 1, yes]', '{a: on, b: 2}', '&x a', '|\n  two\n  lines', '>\n  two\n  lines'],
  ])('means what it means to the platform: %s, %s, %s, ...', (...texts) => {
    for (const text of texts) {
      const source = text.startsWith('- ') ? `a:\n  ${text}\n` : `a: ${text}\n`;
      expect(read(source)).toEqual({ value: jsYaml.safeLoad(source), problems: [] });
    }
  });

  it.each(['010', '0o17', '0b11', '1_000', '1:30', '2026-11-21', '2026-11-21T10:00:00Z', '-.5'])(
    'is refused where it means something else there: %s',
    (text) => {
      const { value, problems } = read(`a: ${text}\n`);
      expect(jsYaml.safeLoad(`a: ${text}\n`)).not.toEqual(value);
      expect([value, problems]).toEqual([expect.anything(), [expect.stringContaining('put it in quotes')]]);
    },
  );
});
