import { z } from 'zod';
import { listedWith } from './additions.ts';
import { isRecord } from './is-record.ts';
import { hintsOf, type Tool, type Toolset } from './tool.ts';

/**
 * The tools as MCP lists them: a JSON array with one tool a line, so that a part of the list can be cut out without parsing it.
 *
 * It evaluates every declaration (about a millisecond each), so it is run while bundling, or once at start in development;
 * bundles carry the text and no zod.
 */
export function renderListing(toolsets: readonly Toolset[]): string {
  const lines = toolsets.flatMap((toolset) => toolset.tools.map((tool) => JSON.stringify(describe(tool), oneType)));
  return `[\n${lines.join(',\n')}\n]`;
}

function describe(tool: Tool) {
  const { readOnly, destructive, idempotent } = hintsOf(tool);
  return {
    name: tool.name,
    title: tool.title,
    description: tool.description,
    inputSchema: inputSchema(tool),
    annotations: { readOnlyHint: readOnly, destructiveHint: destructive, idempotentHint: idempotent, openWorldHint: true },
  };
}

/** A list of types in place of one is not understood everywhere. */
function oneType(_: string, value: unknown): unknown {
  if (!isRecord(value) || !Array.isArray(value.type)) return value;
  const { type, ...rest } = value;
  return { ...rest, anyOf: type.map((one) => ({ type: one })) };
}

function inputSchema(tool: Tool) {
  const { $schema: _, ...schema } = z.toJSONSchema(tool.input(), {
    io: 'input',
    override: ({ jsonSchema }) => {
      // Bounds that every safe integer keeps say nothing and cost bytes in every list.
      if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum;
      if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum;
      // An object that says nothing of further names is open; not every client takes a schema here.
      if (jsonSchema.additionalProperties !== false) delete jsonSchema.additionalProperties;
    },
  });
  // That further names are refused goes for every tool; said of each it would cost the list kilobytes.
  const { additionalProperties: _closed, ...open } = schema;
  return { ...open, properties: { ...schema.properties, ...listedWith(tool) } };
}
