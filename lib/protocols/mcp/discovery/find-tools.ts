import type { Selection } from '../../../access/selection.ts';
import { acceptedBy } from '../../../catalogue/additions.ts';
import type { Catalogue } from '../../../catalogue/catalogue.ts';
import type { Schema } from '../../../catalogue/schema.ts';
import { hintsOf, type Tool } from '../../../catalogue/tool.ts';
import type { LateSearch } from '../../late-search.ts';
import type { DiscoveryName } from './discovery-tools.ts';

/** A tool with all that it takes to call it. */
interface FoundTool {
  readonly tool: string;
  readonly title: string;
  readonly description: string;
  readonly call: DiscoveryName;
  readonly destructive?: true;
  /** The schema of each argument. */
  readonly arguments: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
}

/** What a search found. */
export interface Found {
  readonly items: readonly FoundTool[];
  /** Names of further tools that fit, best first: there is no room for their arguments. */
  readonly more?: readonly string[];
  readonly hint?: string;
}

export interface Question {
  readonly query: string;
  readonly limit: number;
}

/** The catalogue as a caller is shown it. */
export interface Shown {
  readonly catalogue: Catalogue;
  readonly search: LateSearch;
  readonly selection: Selection;
}

/** The most that the found tools take together; one alone may take more. */
const mostBytes = 8 * 1024;

const mostNames = 20;

/** The tools that fit a question and may be called, best first: whole as many as are asked for and have room, of some others the names. */
export async function findTools({ query, limit }: Question, { catalogue, search, selection }: Shown): Promise<Found> {
  const fitting = (await search(query)).map((name) => catalogue.tool(name)).filter((tool) => selection.admits(tool));
  const items: FoundTool[] = [];
  let bytes = 0;
  for (const tool of fitting.slice(0, limit)) {
    const item = describe(tool, catalogue);
    bytes += Buffer.byteLength(JSON.stringify(item));
    if (items.length > 0 && bytes > mostBytes) break;
    items.push(item);
  }
  if (items.length === 0) return { items, hint: 'nothing fits; try other words, or without a query, which names all tools' };
  const more = fitting.slice(items.length, items.length + mostNames).map(({ name }) => name);
  return { items, ...(more.length > 0 && { more }) };
}

/** The names of all tools that may be called, by toolset. */
export function nameTools({ catalogue, selection }: Shown): Readonly<Record<string, readonly string[]>> {
  const named = catalogue.toolsets.map(({ name, tools }) => [name, tools.filter(selection.admits).map((tool) => tool.name)] as const);
  return Object.fromEntries(named.filter(([, names]) => names.length > 0));
}

function describe(tool: Tool, catalogue: Catalogue): FoundTool {
  const { properties = {}, required = [] } = catalogue.schemaOf(tool.name);
  // What all tools of a kind take is said once, in the instructions.
  const common = Object.keys(acceptedBy(tool));
  const { readOnly, destructive } = hintsOf(tool);
  return {
    tool: tool.name,
    title: tool.title,
    description: tool.description,
    call: readOnly ? 'tool-read' : 'tool-run',
    ...(destructive && { destructive }),
    arguments: Object.fromEntries(Object.entries(properties).filter(([name]) => !common.includes(name))),
    ...(required.length > 0 && { required }),
  };
}
