import type { Catalogue } from '../catalogue/catalogue.ts';
import { nearest } from '../catalogue/nearest.ts';
import { hintsOf, type Tool } from '../catalogue/tool.ts';
import { toolsetNames } from '../catalogue/toolset-names.ts';
import { ToolError } from '../errors.ts';
import { forwardedHeader } from '../functions/forwarded-header.ts';
import type { Settings } from '../functions/settings.ts';

/** Which tools a caller asked for; every part narrows, none widens. */
export interface SelectionRequest {
  /** Toolset names out of the path, the query or a header. */
  readonly toolsets?: readonly string[];
  /** Tool names or globs; a leading `!` takes away. */
  readonly tools?: readonly string[];
  readonly readOnly?: boolean;
  /** The router passed the request on and has checked the globs against every tool; a domain's function knows only its own. */
  readonly forwarded?: boolean;
}

/** The door between a caller and the catalogue: it is asked both when tools are listed and when one is called. */
export interface Selection {
  /** True when it lets everything through, so that a list can be sent as it is. */
  readonly everything: boolean;
  admits(tool: Tool): boolean;
  /** Throws `forbidden` for a tool that exists and is not admitted. */
  require(tool: Tool): void;
}

/**
 * The tools that both the installation's settings and the request let through.
 *
 * @throws ToolError `invalid_arguments` for a toolset or tool that does not exist: a misspelt word must never open the door wider.
 */
export function select(catalogue: Catalogue, settings: Settings, request: SelectionRequest): Selection {
  const capped = settings.toolsets && checkToolsets(settings.toolsets, 'not_configured');
  const chosen = request.toolsets && checkToolsets(request.toolsets, 'invalid_arguments');
  const patterns = request.tools?.map((text) => readPattern(text, request.forwarded ? undefined : catalogue.names));
  const readOnly = settings.readOnly || request.readOnly === true;

  const refusal = (tool: Tool): string | undefined => {
    const toolset = catalogue.toolsetOf(tool);
    if (readOnly && !hintsOf(tool).readOnly) return 'only reading is allowed here';
    if (capped && !capped.includes(toolset)) return `the toolset ${toolset} is not offered here`;
    if (chosen && !chosen.includes(toolset)) return `this address serves ${chosen.join(', ')}, not ${toolset}`;
    if (patterns && !matches(tool.name, patterns)) return 'the selection of tools leaves it out';
    return undefined;
  };

  return {
    everything: !readOnly && !capped && !chosen && !patterns,
    admits: (tool) => refusal(tool) === undefined,
    require(tool) {
      const reason = refusal(tool);
      if (reason) throw new ToolError('forbidden', `${tool.name} cannot be called: ${reason}`);
    },
  };
}

/** Reads `?toolsets=`, `?tools=` and `?readonly=`, and the `X-MCP-*` headers that mean the same. */
export function requestedSelection(query: URLSearchParams, headers: Readonly<Record<string, string>>): SelectionRequest {
  const toolsets = list(query.get('toolsets') ?? headers['x-mcp-toolsets']);
  const tools = list(query.get('tools') ?? headers['x-mcp-tools']);
  const readOnly = [query.get('readonly'), headers['x-mcp-readonly']].some((text) => flag(text ?? undefined));
  return { ...(toolsets && { toolsets }), ...(tools && { tools }), readOnly, forwarded: headers[forwardedHeader] !== undefined };
}

/** Reads `/dns,traffic/readonly`, the part of an MCP address behind `/mcp`. */
export function selectionOfPath(segments: readonly string[]): SelectionRequest {
  const readOnly = segments.at(-1) === 'readonly';
  const [names, ...rest] = readOnly ? segments.slice(0, -1) : segments;
  if (rest.length > 0) throw misspelt('path', segments.join('/'), '/mcp, /mcp/<toolset>[,<toolset>][/readonly] or /mcp/readonly');
  const toolsets = list(names);
  return { ...(toolsets && { toolsets }), readOnly };
}

/** Both at once: the narrower of the two in every part. */
export function narrow(a: SelectionRequest, b: SelectionRequest): SelectionRequest {
  const toolsets = a.toolsets && b.toolsets ? a.toolsets.filter((name) => b.toolsets?.includes(name)) : (a.toolsets ?? b.toolsets);
  const tools = a.tools ?? b.tools;
  return {
    ...(toolsets && { toolsets }),
    ...(tools && { tools }),
    readOnly: a.readOnly || b.readOnly,
    forwarded: a.forwarded || b.forwarded,
  };
}

interface Pattern {
  readonly takesAway: boolean;
  readonly expression: RegExp;
}

function readPattern(text: string, names: readonly string[] | undefined): Pattern {
  const takesAway = text.startsWith('!');
  const glob = takesAway ? text.slice(1) : text;
  const expression = new RegExp(`^${glob.replace(/[.+?^${}()|[\]\\]/g, '\\$&').replaceAll('*', '.*')}$`);
  if (!names || names.some((name) => expression.test(name))) return { takesAway, expression };
  throw misspelt('tools', text, 'tool names or globs such as firewall-*, with ! in front to leave out', nearest(glob, names));
}

/** Only what is taken away: all but that. Otherwise: what is named, less what is taken away. */
function matches(name: string, patterns: readonly Pattern[]): boolean {
  if (patterns.some((pattern) => pattern.takesAway && pattern.expression.test(name))) return false;
  const named = patterns.filter((pattern) => !pattern.takesAway);
  return named.length === 0 || named.some((pattern) => pattern.expression.test(name));
}

function checkToolsets(names: readonly string[], code: 'invalid_arguments' | 'not_configured'): readonly string[] {
  const known: readonly string[] = toolsetNames;
  for (const name of names) {
    if (!known.includes(name)) throw misspelt('toolsets', name, `one of ${known.join(', ')}`, nearest(name, known), code);
  }
  return names;
}

function flag(text: string | undefined): boolean {
  if (text === undefined || text === 'false') return false;
  if (text === 'true' || text === '') return true;
  throw misspelt('readonly', text, 'true or false');
}

function list(text: string | undefined | null): readonly string[] | undefined {
  if (text === undefined || text === null) return undefined;
  return text
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '');
}

function misspelt(
  field: string,
  text: string,
  expected: string,
  near?: string,
  code: 'invalid_arguments' | 'not_configured' = 'invalid_arguments',
): ToolError {
  const got = JSON.stringify(text.slice(0, 80));
  const problem = { field, got, expected, ...(near && { nearest: near }) };
  return new ToolError(code, `${field}: expected ${expected}, got ${got}${near ? ` (did you mean ${near}?)` : ''}`, {
    problems: [problem],
  });
}
