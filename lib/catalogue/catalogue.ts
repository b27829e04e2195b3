import { ToolError } from '../errors.ts';
import { acceptedBy } from './additions.ts';
import { nearestOf } from './nearest.ts';
import type { ObjectSchema } from './schema.ts';
import { outlineOf, type Tool, type Toolset } from './tool.ts';
import type { ToolsetName } from './toolset-names.ts';

/** The tools that an installation serves, by name, with what is published of them. */
export interface Catalogue {
  readonly toolsets: readonly Toolset[];
  readonly names: readonly string[];
  /** The tool of that name, or that can be called by it unlisted; throws `unknown_tool` with the nearest names. */
  tool(name: string): Tool;
  /** The toolset that a tool of this catalogue belongs to. */
  toolsetOf(tool: Tool): ToolsetName;
  /** The published record of a tool (name, title, description, inputSchema, annotations) as JSON. */
  entry(name: string): string;
  /** What a tool takes: what is published, the names that are taken unlisted, and that no others are. */
  schemaOf(name: string): ObjectSchema;
  /** The published records of the tools that `admits` lets through, as a JSON array. */
  list(admits?: (tool: Tool) => boolean): string;
}

/**
 * Joins toolsets with their rendered listing (`renderListing`).
 * Nothing of the listing is parsed before it is needed: a cold `tools/list` sends it as it is. Nor are declarations looked at before one is asked for,
 * and then only those of its toolset.
 */
export function catalogue(toolsets: readonly Toolset[], listing: string): Catalogue {
  const outlines = toolsets.map((toolset) => ({ toolset, ...(toolset.outline ?? outlineOf(toolset)) }));
  const names = outlines.flatMap(({ listed }) => listed);
  const owners = new Map<Tool, ToolsetName>();
  const declared = new Map<string, Tool>();
  const schemas = new Map<string, ObjectSchema>();
  let entries: ReadonlyMap<string, string> | undefined;

  const entry = (name: string): string => {
    entries ??= splitListing(names, listing);
    const found = entries.get(name);
    if (found === undefined) throw new Error(`the listing has no tool ${name}: it was rendered from other toolsets`);
    return found;
  };

  const declare = ({ name: owner, tools }: Toolset): void => {
    for (const tool of tools) {
      owners.set(tool, owner);
      for (const name of [tool.name, ...(tool.alsoCalled ?? [])]) declared.set(name, tool);
    }
  };

  const find = (name: string): Tool => {
    const owner = declared.has(name)
      ? undefined
      : outlines.find(({ listed, unlisted }) => listed.includes(name) || unlisted.includes(name));
    if (owner) declare(owner.toolset);
    const found = declared.get(name);
    if (found) return found;
    throw unknownTool(name, names);
  };

  return {
    toolsets,
    names,
    tool: find,
    toolsetOf(tool) {
      if (!owners.has(tool)) toolsets.forEach(declare);
      const owner = owners.get(tool);
      if (owner === undefined) throw new Error(`${tool.name} is not a tool of this catalogue`);
      return owner;
    },
    entry,
    schemaOf(name) {
      const known = schemas.get(name);
      if (known) return known;
      // Safe: the listing is rendered from declarations, and a test holds them to this closed part of JSON Schema.
      const { inputSchema } = JSON.parse(entry(name)) as { readonly inputSchema: ObjectSchema };
      const properties = { ...inputSchema.properties, ...acceptedBy(find(name)) };
      const schema = { ...inputSchema, properties, additionalProperties: false } as const;
      schemas.set(name, schema);
      return schema;
    },
    list(admits) {
      if (!admits) return listing;
      const chosen = names.filter((name) => admits(find(name)));
      return `[\n${chosen.map(entry).join(',\n')}\n]`;
    },
  };
}

/** What an unknown name is answered with: the nearest names, in the error's `next` words. */
export function unknownTool(name: string, names: readonly string[]): ToolError {
  const near = nearestOf(name, names, 3);
  const hint = near.length > 0 ? `the nearest are ${near.join(', ')}` : 'GET /tools or tools/list names them all';
  return new ToolError('unknown_tool', `no tool is called ${JSON.stringify(name.slice(0, 80))}; ${hint}`, {
    problems: [
      { field: 'tool', got: JSON.stringify(name.slice(0, 80)), expected: 'the name of a tool', ...(near[0] && { nearest: near[0] }) },
    ],
  });
}

function splitListing(names: readonly string[], listing: string): ReadonlyMap<string, string> {
  const lines = listing.split('\n').slice(1, -1);
  return new Map(names.map((name, index) => [name, withoutComma(lines[index] ?? '')]));
}

function withoutComma(line: string): string {
  return line.endsWith(',') ? line.slice(0, -1) : line;
}
