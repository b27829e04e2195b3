import { describe, expect, it } from 'vitest';
import { type Addition, additions } from '../../lib/catalogue/additions.ts';
import type { ObjectSchema, Schema } from '../../lib/catalogue/schema.ts';
import { callsOf, hintsOf, methodOf, type Tool } from '../../lib/catalogue/tool.ts';
import { argumentsOf, everyTool } from '../support/call-of.ts';
import { hasReference, type ReferenceArgument, referenceTools } from '../support/reference.ts';
import { exampleOf } from './cases/every-case.ts';

const tools = everyTool.toolsets.flatMap((toolset) => toolset.tools);

/** Whether an addition is one of this tool's arguments. */
function takes(tool: Tool, { tools: takers }: Addition): boolean {
  if (takers === 'writes') return !hintsOf(tool).readOnly;
  if (takers === 'follows') return tool.follow !== undefined;
  return takers === 'reads' ? hintsOf(tool).readOnly : takers.includes(tool.name);
}

/** The arguments that were added to a tool, and the members added to its arguments, by path. */
function addedTo(tool: Tool): readonly string[] {
  return additions.filter((addition) => takes(tool, addition)).map(({ argument }) => argument);
}

describe.skipIf(!hasReference)('the tools against the specification', () => {
  const references = hasReference ? referenceTools() : [];
  const specified = references.filter((tool) => !tool.aliasOf);

  it('are exactly those it names', () => {
    expect(tools).toHaveLength(158);
    expect([...everyTool.names].sort()).toEqual(specified.map((tool) => tool.name).sort());
  });

  it('are also called by the names that stand in its examples alone, which are never listed', () => {
    const unlisted = references.filter((tool) => tool.aliasOf).map(({ name, aliasOf }) => [name, aliasOf]);
    expect(unlisted).not.toEqual([]);
    for (const [name, aliasOf] of unlisted) {
      expect(everyTool.tool(name ?? '').name).toBe(aliasOf);
      expect(everyTool.list()).not.toContain(`"${name}"`);
    }
  });

  it.each(specified.map((tool) => [tool.name, tool] as const))('%s has its arguments, hints and platform call', (name, reference) => {
    const tool = everyTool.tool(name);
    const schema = everyTool.schemaOf(name);
    const added = addedTo(tool);
    expect(everyTool.toolsetOf(tool)).toBe(reference.domain);

    const properties = Object.entries(schema.properties ?? {}).filter(([argument]) => !added.includes(argument));
    expect(properties.map(([argument, property]) => declared(argument, property, schema))).toEqual(reference.args.map(specifiedAs));

    for (const { name: argument, schema: shape, notesFieldsNotInSpecification: unnamed = [] } of reference.args) {
      const property = schema.properties?.[argument];
      if (!shape || !property) continue;
      const ours = membersOf(property, argument).filter(([path]) => !added.includes(path));
      const theirs = membersOf(shape, argument).filter(([path]) => !unnamed.some((field) => path === `${argument}.${field}`));
      expect(new Map(ours)).toEqual(new Map(theirs));
    }

    expect(hintsOf(tool)).toEqual({ readOnly: reference.readOnly, destructive: reference.destructive, idempotent: reference.idempotent });

    const calls = reference.http.variants ?? [reference.http];
    const expected = calls.map(({ method, path }) => withoutNames(`${method} ${path}`));
    const ours = callsOf(tool).map(withoutNames);
    expect(ours).toEqual(expect.arrayContaining(expected));
    // What a tool calls besides can only be reads: they find out what the call needs.
    expect(ours.filter((call) => !expected.includes(call)).map(methodOf)).toSatisfy((methods: string[]) =>
      methods.every((method) => method === 'GET'),
    );
    if (!tool.run) expect(ours).toEqual(expected);

    const envelopes = [...new Set(calls.map(({ response }) => response.envelope).filter((envelope) => envelope !== null))];
    expect([tool.returns ?? []].flat()).toEqual(envelopes);
  });
});

describe('every tool', () => {
  it.each(tools.map((tool) => [tool.name, tool] as const))('%s says what it is, and how to find out what came of it', (name, tool) => {
    expect(tool.title.length).toBeLessThanOrEqual(50);
    expect(tool.description).toMatch(/^[A-Z].*\.$/s);
    if (hintsOf(tool).readOnly) return;
    const input = argumentsOf(name, exampleOf(name));
    const next = [tool.verify?.(input) ?? []].flat();
    expect(next, 'a write names the read that tells whether it happened').not.toEqual([]);
    for (const call of next) {
      const again = call.tool === name && hintsOf(tool).idempotent;
      expect(again || hintsOf(everyTool.tool(call.tool)).readOnly).toBe(true);
      expect(argumentsOf(call.tool, call.arguments)).toMatchObject(call.arguments);
    }
  });

  it.each(tools.map((tool) => [tool.name, tool] as const))('%s names only calls that can be made as ways out', (name, tool) => {
    const input = argumentsOf(name, exampleOf(name));
    const ways = (tool.recover ?? []).flatMap(({ next }) => next(input));
    for (const way of ways) expect(argumentsOf(way.tool, way.arguments)).toMatchObject(way.arguments);
  });

  it.each(tools.flatMap((tool) => (tool.follow ? [[tool.name, tool.follow] as const] : [])))('%s is followed by reads', (name, follow) => {
    expect(hintsOf(everyTool.tool(name)).readOnly).toBe(false);
    const input = argumentsOf(name, exampleOf(name));
    const started = { id: 7, uuid: 'u', resource_id: 8 };
    const next = follow.next(input, started);
    expect(hintsOf(everyTool.tool(next.tool)).readOnly).toBe(true);
    expect(argumentsOf(next.tool, next.arguments)).toMatchObject(next.arguments);
    expect(everyTool.toolsetOf(everyTool.tool(next.tool))).toBe(everyTool.toolsetOf(everyTool.tool(name)));
    const asTemplate = new RegExp(`^GET ${follow.path(input, started).replace(/[^/]+/g, '(\\{\\w+\\}|$&)')}$`);
    expect(tools.flatMap(callsOf).some((call) => asTemplate.test(call))).toBe(true);
  });

  it('takes the arguments that were added to it', () => {
    for (const addition of additions) {
      const { argument, reason } = addition;
      expect(reason).not.toBe('');
      const expected = tools.filter((tool) => takes(tool, addition));
      expect(expected).not.toEqual([]);
      const [name = '', member] = argument.split('.');
      for (const tool of expected) {
        const property = everyTool.schemaOf(tool.name).properties?.[name];
        expect(property, tool.name).toBeDefined();
        if (member && property) expect(membersOf(property, name).map(([path]) => path)).toContain(argument);
      }
    }
  });

  it('hides secrets exactly where a call can ask for them, or where they are its own arguments', () => {
    const askable = tools.filter((tool) => everyTool.schemaOf(tool.name).properties?.RevealSecrets);
    expect(tools.filter((tool) => tool.secrets).map(({ name }) => name)).toEqual(
      tools.filter((tool) => askable.includes(tool) || /custom-certificate|start-online-migration/.test(tool.name)).map(({ name }) => name),
    );
  });

  it('is published in the part of JSON Schema that every client takes', () => {
    const words = new Set(tools.flatMap(({ name }) => wordsOf(everyTool.schemaOf(name))));
    const known = ['type', 'properties', 'required', 'additionalProperties', 'items', 'minItems', 'anyOf', 'enum', 'minimum', 'maximum'];
    expect([...words].sort()).toEqual([...known, 'default', 'description'].sort());
    expect(everyTool.list()).not.toContain('"type":[');
  });
});

function declared(name: string, property: Schema, schema: ObjectSchema) {
  return {
    name,
    type: typeOf(property),
    required: schema.required?.includes(name) ?? false,
    default: property.default ?? null,
    enum: valuesOf(property),
  };
}

function specifiedAs({
  name,
  type,
  required,
  default: initial,
  enum: values,
  ...more
}: ReferenceArgument & { items?: { enum?: unknown } }) {
  return { name, type: type.replace('integer', 'number'), required, default: initial, enum: values ?? more.items?.enum ?? null };
}

/** The members of an argument's objects by path, each with its type and whether it is required. */
function membersOf(schema: Schema, path: string): readonly (readonly [string, string])[] {
  if (schema.type === 'array') return membersOf(schema.items, path);
  if (schema.type !== 'object') return [];
  return Object.entries(schema.properties ?? {}).flatMap(([name, property]) => [
    [`${path}.${name}`, `${typeOf(property)}${schema.required?.includes(name) ? ', required' : ''}`] as const,
    ...membersOf(property, `${path}.${name}`),
  ]);
}

function typeOf(schema: Schema): string {
  if (schema.type === 'integer') return 'number';
  if (schema.type === 'array') return `array<${typeOf(schema.items)}>`;
  // An integer that may be too large for a number comes as text too.
  return schema.type ?? typeOf(schema.anyOf[0] ?? { type: 'string' });
}

function valuesOf(schema: Schema): readonly string[] | null {
  if (schema.type === 'array') return valuesOf(schema.items);
  return (schema.type === 'string' && schema.enum) || null;
}

/** The words of JSON Schema that a schema uses. */
function wordsOf(schema: Schema): readonly string[] {
  const inside = [
    ...(schema.type === 'object' ? Object.values(schema.properties ?? {}) : []),
    ...(schema.type === 'array' ? [schema.items] : []),
    ...(schema.type === undefined ? schema.anyOf : []),
  ];
  return [...Object.keys(schema), ...inside.flatMap(wordsOf)];
}

function withoutNames(path: string): string {
  return path.replace(/\{\w+\}/g, '{}');
}
