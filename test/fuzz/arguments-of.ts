import fc, { type Arbitrary } from 'fast-check';
import type { Schema } from '../../lib/catalogue/schema.ts';
import { hostileText, hostileValue, ofEntries, prototypeNames } from './hostile.ts';

/** Arguments for a tool: mostly of the right kind, some of any kind, some under names that it does not have. */
export function argumentsOf(schema: Schema): Arbitrary<Record<string, unknown>> {
  if (schema.type !== 'object') throw new Error('arguments are an object');
  const required = new Set(schema.required);
  const declared = Object.entries(schema.properties ?? {}).map(([name, inner]) =>
    fc
      .option(fc.oneof({ arbitrary: fitting(inner), weight: 12 }, { arbitrary: hostileValue, weight: 1 }), {
        freq: required.has(name) ? 20 : 2,
        nil: undefined,
      })
      .map((value) => [name, value] as const),
  );
  const others = fc.tuple(fc.tuple(fc.oneof(fc.string(), fc.constantFrom(...prototypeNames)), hostileValue));
  return fc
    .tuple(fc.tuple(...declared), fc.oneof({ arbitrary: fc.constant([]), weight: 6 }, { arbitrary: others, weight: 1 }))
    .map(([known, unknown]) => ofEntries([...known.filter(([, value]) => value !== undefined), ...unknown]));
}

/** Values that the schema lets pass, or nearly so. */
function fitting(schema: Schema): Arbitrary<unknown> {
  if (schema.type === undefined) return fc.oneof(...schema.anyOf.map(fitting));
  switch (schema.type) {
    case 'string':
      return schema.enum
        ? fc.constantFrom(...schema.enum)
        : fc.oneof(fc.constantFrom('a', 'web-1', '10.0.0.1', 'example.com'), hostileText);
    case 'integer':
    case 'number':
      return fc.oneof(fc.integer({ min: schema.minimum ?? 0, max: Math.min(schema.maximum ?? 1000, 1000) }), fc.nat().map(String));
    case 'boolean':
      return fc.oneof(fc.boolean(), fc.constantFrom('true', 'false'));
    case 'array':
      return fc.array(fitting(schema.items), { maxLength: 3 });
    case 'object':
      return Object.keys(schema.properties ?? {}).length > 0
        ? argumentsOf(schema)
        : fc.dictionary(fc.string(), hostileValue, { maxKeys: 3 });
  }
}
