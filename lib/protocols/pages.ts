import type { Selection } from '../access/selection.ts';
import type { Catalogue } from '../catalogue/catalogue.ts';
import type { Tool } from '../catalogue/tool.ts';
import { version } from '../catalogue/version.ts';
import { ToolError } from '../errors.ts';
import { type FunctionResponse, jsonResponse, jsonText } from '../functions/response.ts';
import type { LateSearch } from './late-search.ts';
import { openapiDocument } from './openapi.ts';
import type { Served } from './scope.ts';

/** A tool as it is published. */
interface Published {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly inputSchema: unknown;
}

/** `GET /`: what this is and where its doors are. */
export function serviceDocument(catalogue: Catalogue): FunctionResponse {
  return jsonResponse(200, {
    name: 'deckhand',
    version,
    toolsets: catalogue.toolsets.map(({ name, title, tools }) => ({ name, title, tools: tools.length })),
    endpoints: {
      mcp: 'POST /mcp, /mcp/<toolset>[,<toolset>][/readonly], /mcp/readonly',
      discover: 'POST /mcp/discover[/<toolset>,<toolset>][/readonly]: three tools that find and call all others',
      call: 'POST /tools/<name>, or POST / with {"tool": "<name>", "arguments": {...}}',
      tools: 'GET /tools?q=<words>&format=openai|anthropic, GET /tools/<name>',
      openapi: 'GET /openapi.json',
      health: 'GET /health',
    },
  });
}

/** `GET /tools`: the catalogue, whole or searched, in the form that a model's API takes. */
export async function toolsPage(
  { catalogue, search }: Pick<Served, 'catalogue' | 'search'>,
  selection: Selection,
  query: URLSearchParams,
): Promise<FunctionResponse> {
  const question = query.get('q')?.trim();
  const format = query.get('format') ?? 'mcp';
  if (format === 'mcp' && !question) return jsonText(200, `{"tools":${catalogue.list(selection.admits)}}`);
  const tools = question ? await found(question, catalogue, search, selection) : published(catalogue, selection.admits);
  return jsonResponse(200, { tools: tools.map(formatFor(format)) });
}

/** The records of the tools that fit a question, best first. */
async function found(question: string, catalogue: Catalogue, search: LateSearch, selection: Selection): Promise<readonly Published[]> {
  const names = (await search(question)).filter((name) => selection.admits(catalogue.tool(name)));
  // Safe: an entry is rendered from a declaration.
  return names.map((name) => JSON.parse(catalogue.entry(name)) as Published);
}

/** `GET /tools/<name>`: one tool's record. Throws `unknown_tool` and `forbidden`. */
export function toolPage(catalogue: Catalogue, selection: Selection, name: string): FunctionResponse {
  const tool = catalogue.tool(name);
  selection.require(tool);
  return jsonText(200, catalogue.entry(tool.name));
}

/** `GET /openapi.json`. */
export function openapiPage({ catalogue, context }: Pick<Served, 'catalogue' | 'context'>, selection: Selection): FunctionResponse {
  return jsonResponse(200, openapiDocument(catalogue, selection, context));
}

function published(catalogue: Catalogue, admits: (tool: Tool) => boolean): readonly Published[] {
  // Safe: the list is rendered from declarations.
  return JSON.parse(catalogue.list(admits)) as readonly Published[];
}

function formatFor(format: string): (tool: Published) => unknown {
  switch (format) {
    case 'mcp':
      return (tool) => tool;
    case 'openai':
      return ({ name, description, inputSchema }) => ({ type: 'function', function: { name, description, parameters: inputSchema } });
    case 'anthropic':
      return ({ name, description, inputSchema }) => ({ name, description, input_schema: inputSchema });
    default:
      throw new ToolError(
        'invalid_arguments',
        `format: expected one of mcp, openai, anthropic, got ${JSON.stringify(format.slice(0, 40))}`,
      );
  }
}
