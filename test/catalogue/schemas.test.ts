import { Ajv } from 'ajv';
import { describe, expect, it } from 'vitest';
import { gateway } from '../support/gateway.ts';

// biome-ignore lint/suspicious/noExplicitAny: what is published is looked at as a client would
type Schema = any;

interface Published {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly inputSchema: Schema;
  readonly outputSchema?: Schema;
  readonly annotations: object;
}

async function listed(path = '/mcp'): Promise<readonly Published[]> {
  const { json } = await gateway()('POST', path, { body: { jsonrpc: '2.0', id: 1, method: 'tools/list' } });
  return json.result.tools;
}

const plain = await listed();
const full = await listed('/mcp?schemas=full');
const discovery = await listed('/mcp/discover');

/** Every schema inside another, each with its depth. */
function schemasIn(schema: Schema, depth = 1): readonly { schema: Schema; depth: number }[] {
  const inner = [...Object.values(schema.properties ?? {}), ...(schema.items ? [schema.items] : []), ...(schema.anyOf ?? [])];
  return [{ schema, depth }, ...inner.flatMap((one) => schemasIn(one, depth + 1))];
}

/** What is wrong with a schema by the narrowest of the subsets that models' APIs and their clients take. */
function problemsOf(root: Schema): readonly string[] {
  const all = schemasIn(root);
  const properties = all.flatMap(({ schema }) => Object.keys(schema.properties ?? {}));
  const each = all.flatMap(({ schema, depth }) => [
    ...Object.keys(schema).flatMap((word) => (words.has(word) ? [] : [`the word ${word} is not taken everywhere`])),
    ...(Array.isArray(schema.type) ? ['a list of types is refused by Gemini'] : []),
    ...(schema.type === 'array' && !schema.items ? ['an array without items takes the whole list down in VS Code and with OpenAI'] : []),
    ...(schema.enum?.some((value: unknown) => typeof value !== 'string') ? ['an enum of other than strings is refused by Gemini'] : []),
    ...(schema.enum && (schema.enum.length === 0 || schema.enum.length > 250) ? ['an enum has up to 250 values with OpenAI'] : []),
    ...(schema.anyOf && (schema.type || schema.anyOf.length < 2) ? ['anyOf stands alone, for two forms or more'] : []),
    ...(schema.required ?? []).flatMap((name: string) => (schema.properties?.[name] ? [] : [`${name} is required and not declared`])),
    ...(schema.default === null ? ['a default of null is refused by Gemini'] : []),
    ...(depth > 10 ? ['deeper than the 10 levels of OpenAI'] : []),
  ]);
  return [
    ...each,
    ...(root.type === 'object' && !root.anyOf ? [] : ['the root has to be a plain object']),
    ...properties.flatMap((name) => (/^[a-zA-Z0-9_.-]{1,64}$/.test(name) ? [] : [`${name} is no name that Anthropic takes`])),
    ...(properties.length > 100 ? [`${properties.length} properties, of which OpenAI's strict mode took 100`] : []),
  ];
}

const words = new Set([
  'type',
  'properties',
  'required',
  'additionalProperties',
  'items',
  'minItems',
  'anyOf',
  'enum',
  'minimum',
  'maximum',
  'default',
  'description',
]);

describe('what clients accept', () => {
  it.each([...plain, ...discovery].map((tool) => [tool.name, tool] as const))(
    '%s is told in it',
    (_, { name, title, description, inputSchema, annotations }) => {
      expect(problemsOf(inputSchema)).toEqual([]);
      // OpenAI and Anthropic take 64 characters, of which Cursor and others spend some on the server's name.
      expect(name).toMatch(/^[a-z][a-z0-9-]{0,39}$/);
      expect(title).not.toBe('');
      expect(description.length).toBeLessThanOrEqual(1024);
      expect(Object.entries(annotations).map(([hint, value]) => [hint, typeof value])).toEqual(
        ['readOnlyHint', 'destructiveHint', 'idempotentHint', 'openWorldHint'].map((hint) => [hint, 'boolean']),
      );
    },
  );

  it('finds what clients refuse', () => {
    const bad = {
      type: 'object',
      properties: { a: { type: ['string', 'null'] }, b: { type: 'array' }, 'c d': { const: 1 } },
      required: ['z'],
    };
    expect(problemsOf(bad)).toHaveLength(5);
    expect(problemsOf({ anyOf: [bad, bad] })).toContain('the root has to be a plain object');
  });
});

describe('schemas of results', () => {
  it('are in the list only where the address asks for them', async () => {
    expect(plain.some((tool) => 'outputSchema' in tool)).toBe(false);
    expect(full.map(({ outputSchema: _, ...tool }) => tool)).toEqual(plain);
    const { text } = await gateway()('POST', '/mcp?schemas=all', { body: { jsonrpc: '2.0', id: 1, method: 'tools/list' } });
    expect(text).toContain('schemas: expected full');
  });

  it.each(full.map((tool) => [tool.name, tool] as const))('of %s are taken by clients, and admit a failure', (_, { outputSchema }) => {
    expect(problemsOf(outputSchema)).toEqual([]);
    const valid = new Ajv({ strict: true }).compile(outputSchema);
    expect(valid({ error: { code: 'not_found', message: 'm', retryable: false } })).toBe(true);
    expect(valid({ error: { code: 'not_found' } })).toBe(false);
  });

  it('say of a list what stands beside its items, and what an item has', () => {
    const { properties } = full.find(({ name }) => name === 'instance-list')?.outputSchema ?? {};
    expect(Object.keys(properties)).toEqual(expect.arrayContaining(['items', 'page', 'perPage', 'total', 'nextPage', 'error', 'next']));
    expect(Object.keys(properties.items.items.properties)).toEqual(expect.arrayContaining(['id', 'name', 'status', 'region', 'networks']));
  });
});

describe('the list', () => {
  it("costs a model eight tenths of what the platform's own server lists for the same tools", () => {
    // 158 tools of @digitalocean/mcp 1.0.70; the bench has it beside this list.
    const theirs = 114_730;
    expect(Buffer.byteLength(JSON.stringify(plain))).toBeLessThanOrEqual(0.8 * theirs);
  });

  it('says of every argument that was added by us no more than its type', () => {
    for (const { inputSchema } of plain) {
      for (const name of ['Fields', 'DryRun', 'Wait', 'Confirm']) {
        const property = inputSchema.properties[name];
        if (property) expect(Object.keys(property)).toEqual(['type']);
      }
    }
  });
});
