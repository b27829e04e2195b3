import { describe, expect, it } from 'vitest';
import { additions } from '../../lib/catalogue/additions.ts';
import type { Schema } from '../../lib/catalogue/schema.ts';
import { hintsOf, methodOf, pathOf, type Tool } from '../../lib/catalogue/tool.ts';
import { toolsetNames } from '../../lib/catalogue/toolset-names.ts';
import { everyTool } from '../support/call-of.ts';
import { hasReference, referenceTools } from '../support/reference.ts';

const tools = everyTool.toolsets.flatMap((toolset) => toolset.tools);

/** The names of the arguments that were added to a tool. */
function addedTo(tool: Tool): readonly string[] {
  return additions
    .filter(({ tools }) => (tools === 'lists' ? tool.summary !== undefined : tools.includes(tool.name)))
    .map(({ argument }) => argument);
}

describe.skipIf(!hasReference)('the tools against the specification', () => {
  const served: readonly string[] = toolsetNames;
  const specified = hasReference ? referenceTools().filter((tool) => served.includes(tool.domain) && !tool.aliasOf) : [];

  it('are exactly those it names', () => {
    expect([...everyTool.names].sort()).toEqual(specified.map((tool) => tool.name).sort());
  });

  it.each(specified.map((tool) => [tool.name, tool] as const))('%s has its arguments, hints and platform call', (name, reference) => {
    const tool = everyTool.tool(name);
    const schema = everyTool.schemaOf(name);
    expect(everyTool.toolsetOf(tool)).toBe(reference.domain);

    const properties = Object.entries(schema.properties ?? {}).filter(([argument]) => !addedTo(tool).includes(argument));
    const declared = properties.map(([argument, property]) => ({
      name: argument,
      type: typeOf(property),
      required: schema.required?.includes(argument) ?? false,
      default: property.default ?? null,
      enum: (property.type === 'string' && property.enum) || null,
    }));
    expect(declared).toEqual(
      reference.args.map(({ name, type, required, default: initial, enum: values }) => ({
        name,
        type,
        required,
        default: initial,
        enum: values,
      })),
    );

    expect(hintsOf(tool)).toEqual({ readOnly: reference.readOnly, destructive: reference.destructive, idempotent: reference.idempotent });
    expect([methodOf(tool), withoutNames(pathOf(tool))]).toEqual([reference.http.method, withoutNames(reference.http.path)]);
    expect(tool.returns ?? null).toBe(reference.http.response.envelope);
  });
});

describe('every tool', () => {
  it.each(tools.map((tool) => [tool.name, tool] as const))('%s says what it is, and how to find out what came of it', (_, tool) => {
    expect(tool.title.length).toBeLessThanOrEqual(50);
    expect(tool.description).toMatch(/^[A-Z].*\.$/s);
    if (hintsOf(tool).readOnly) return;
    const next = tool.verify?.({ ID: 1, Tag: 't' });
    expect(next, 'a write names the read that tells whether it happened').toBeDefined();
    expect(hintsOf(everyTool.tool(next?.tool ?? '')).readOnly).toBe(true);
  });

  it('names only calls that exist as ways out', () => {
    const ways = tools.flatMap((tool) =>
      (tool.recover ?? []).flatMap(({ next }) => next({ ID: 1, Tag: 't', InstanceID: 1, ImageID: 1, ActionID: 1 })),
    );
    for (const { tool, arguments: given } of ways) {
      const known = Object.keys(everyTool.schemaOf(tool).properties ?? {});
      expect(known).toEqual(expect.arrayContaining(Object.keys(given)));
    }
  });

  it('takes the arguments that were added to it', () => {
    for (const { argument, tools: takers, reason } of additions) {
      expect(reason).not.toBe('');
      const expected = takers === 'lists' ? tools.filter((tool) => tool.summary) : tools.filter((tool) => takers.includes(tool.name));
      expect(expected).not.toEqual([]);
      for (const { name } of expected) expect(everyTool.schemaOf(name).properties, name).toHaveProperty(argument);
    }
  });
});

function typeOf(schema: Schema): string {
  if (schema.type === 'integer') return 'number';
  if (schema.type === 'array') return `array<${typeOf(schema.items)}>`;
  return schema.type ?? 'either';
}

function withoutNames(path: string): string {
  return path.replace(/\{\w+\}/g, '{}');
}
