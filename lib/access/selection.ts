import type { Catalogue } from '../catalogue/catalogue.ts';
import { commaSeparated } from '../catalogue/comma-separated.ts';
import { nearest } from '../catalogue/nearest.ts';
import { hintsOf, type Tool } from '../catalogue/tool.ts';
import { toolsetNames } from '../catalogue/toolset-names.ts';
import { ToolError } from '../errors.ts';
import type { Grant } from '../functions/access-tokens.ts';
import { forwardedHeader } from '../functions/forwarded-header.ts';
import type { Settings } from '../functions/settings.ts';
import type { Caller } from './callers.ts';
import { grantedTo, notGranted } from './granted.ts';
import { misspelt } from './misspelt.ts';
import { admitsName, fitsSome, patternOf, readPatterns } from './tool-pattern.ts';

/** Which tools a caller asked for; every part narrows, none widens. */
export interface SelectionRequest {
  /** Lists of toolset names, one for each place that named some: a tool's toolset must be in all of them. */
  readonly toolsets: readonly (readonly string[])[];
  /** Lists of tool names and globs, likewise; a leading `!` takes away. */
  readonly tools: readonly (readonly string[])[];
  readonly readOnly: boolean;
  /** The router passed the request on and has checked the globs against every tool; a domain's function knows only its own. */
  readonly forwarded?: boolean;
}

/** The door between a caller and the catalogue: it is asked both when tools are listed and when one is called. */
export interface Selection {
  /** Nothing but reading is allowed, by whoever says so. */
  readonly readOnly: boolean;
  /** True when it lets everything through, so that a list can be sent as it is. */
  readonly everything: boolean;
  admits(tool: Tool): boolean;
  /** Throws `forbidden` for a tool that exists and is not admitted. */
  require(tool: Tool): void;
}

/** Everything that the installation offers. */
export const noWishes: SelectionRequest = { toolsets: [], tools: [], readOnly: false };

/**
 * The tools that the installation's settings, the operator's caps for the caller, and the request all let through.
 *
 * @throws ToolError `invalid_arguments` for a toolset or tool that does not exist: a misspelt word must never open the door wider.
 */
export function select(
  catalogue: Catalogue,
  settings: Settings,
  caller: Pick<Caller, 'name' | 'grants' | 'subject'>,
  request: SelectionRequest,
): Selection {
  const chosen = request.toolsets.map(checkToolsets);
  const patterns = request.tools.map((texts) => readPatterns(texts, request.forwarded ? undefined : catalogue.names));
  const onlyReads = settings.readOnly || request.readOnly;
  const granted = grantedTo(caller);

  const refusal = (tool: Tool): string | undefined => {
    const toolset = catalogue.toolsetOf(tool);
    if (onlyReads && !hintsOf(tool).readOnly) return 'only reading is allowed here';
    if (settings.toolsets && !settings.toolsets.includes(toolset)) return `the toolset ${toolset} is not offered here`;
    if (chosen.some((names) => !names.includes(toolset))) return `the toolset ${toolset} is not among those that were chosen`;
    if (patterns.some((list) => !admitsName(tool.name, list))) return 'the selection of tools leaves it out';
    return undefined;
  };

  return {
    readOnly: onlyReads || granted.readOnly,
    everything: granted.everything && !onlyReads && !settings.toolsets && chosen.length === 0 && patterns.length === 0,
    admits: (tool) => (refusal(tool) ?? granted.refusal(tool, catalogue.toolsetOf(tool))) === undefined,
    require(tool) {
      const reason = refusal(tool);
      if (reason) throw new ToolError('forbidden', `${tool.name} cannot be called: ${reason}`);
      const toolset = catalogue.toolsetOf(tool);
      const closed = granted.refusal(tool, toolset);
      if (closed) throw notGranted(tool, toolset, closed, caller, settings);
    },
  };
}

/**
 * Holds the globs in `ACCESS_TOKENS` and `JWT_SCOPES` to the tools there are, where all of them are known: one that fits none could leave a tool in that it
 * means to take away.
 *
 * @throws ToolError `not_configured`; like all that is said of those settings, without what was written there.
 */
export function checkCaps({ toolsets, names }: Catalogue, { own }: Settings): void {
  if (!own || toolsets.length < toolsetNames.length) return;
  checkGrants(own.callers, 'ACCESS_TOKENS', names);
  checkGrants(own.jwt?.scopes ?? [], 'JWT_SCOPES', names);
}

function checkGrants(grants: readonly Grant[], setting: string, names: Catalogue['names']): void {
  for (const [index, { tools = [] }] of grants.entries()) {
    const stray = tools.findIndex((text) => !fitsSome(patternOf(text), names));
    if (stray < 0) continue;
    const where = `entry ${index + 1} of the setting ${setting}`;
    throw new ToolError(
      'not_configured',
      `${where}: no tool fits pattern ${stray + 1} of its tools; a tool's name, or a glob such as firewall-*`,
    );
  }
}

/** The fields of an address that choose tools. */
export const selectionWords = ['toolsets', 'tools', 'readonly'] as const;

/** What is left of a selection when nothing may be changed; `reason` ends the sentence that refuses a tool. */
export function readingOnly(selection: Selection, reason: string): Selection {
  return {
    readOnly: true,
    everything: false,
    admits: (tool) => hintsOf(tool).readOnly && selection.admits(tool),
    require(tool) {
      // First what no other token would change.
      if (!hintsOf(tool).readOnly) throw new ToolError('forbidden', `${tool.name} cannot be called: ${reason}`);
      selection.require(tool);
    },
  };
}

/** Reads `?toolsets=`, `?tools=` and `?readonly=`, and the `X-MCP-*` headers that mean the same. */
export function requestedSelection(query: URLSearchParams, headers: Readonly<Record<string, string>>): SelectionRequest {
  const toolsets = [...query.getAll('toolsets'), headers['x-mcp-toolsets']];
  // Several `tools` of one address are one list, so that a second one can take away from the first.
  const tools = [query.getAll('tools').join(',') || query.get('tools'), headers['x-mcp-tools']];
  const flags = [...query.getAll('readonly'), headers['x-mcp-readonly']];
  return {
    toolsets: toolsets.filter(isGiven).map((text) => listOf('toolsets', text)),
    tools: tools.filter(isGiven).map((text) => listOf('tools', text)),
    readOnly: flags.filter(isGiven).map(flag).includes(true),
    forwarded: headers[forwardedHeader] !== undefined,
  };
}

/** Refuses a field of the address that chooses nothing: `?read-only=true` must not be passed over. */
export function checkWords(query: URLSearchParams, alsoKnown: readonly string[] = []): void {
  const known = [...selectionWords, ...alsoKnown];
  const unknown = [...query.keys()].find((name) => !known.includes(name));
  if (unknown !== undefined) throw misspelt('address', unknown, `only the fields ${known.join(', ')}`, nearest(unknown, known));
}

/** Reads `/dns,traffic/readonly`, the part of an MCP address that chooses tools. */
export function selectionOfPath(segments: readonly string[]): SelectionRequest {
  const readOnly = segments.at(-1) === 'readonly';
  const [names, ...rest] = readOnly ? segments.slice(0, -1) : segments;
  if (rest.length > 0) throw misspelt('path', segments.join('/'), '/mcp[/discover][/<toolset>,<toolset>][/readonly]');
  return { toolsets: names === undefined ? [] : [listOf('toolsets', names)], tools: [], readOnly };
}

/** Both at once. */
export function narrow(a: SelectionRequest, b: SelectionRequest): SelectionRequest {
  return {
    toolsets: [...a.toolsets, ...b.toolsets],
    tools: [...a.tools, ...b.tools],
    readOnly: a.readOnly || b.readOnly,
    forwarded: a.forwarded || b.forwarded,
  };
}

function checkToolsets(names: readonly string[]): readonly string[] {
  const known: readonly string[] = toolsetNames;
  const unknown = names.find((name) => !known.includes(name));
  if (unknown === undefined) return names;
  throw misspelt('toolsets', unknown, `one of ${known.join(', ')}`, nearest(unknown, known));
}

function listOf(field: string, text: string): readonly string[] {
  const names = commaSeparated(text);
  if (names.length > 0) return names;
  throw misspelt(field, text, 'one name or more; leave it out for all');
}

function flag(text: string): boolean {
  if (text === 'true' || text === '') return true;
  if (text === 'false') return false;
  throw misspelt('readonly', text, 'true or false');
}

function isGiven(text: string | undefined | null): text is string {
  return typeof text === 'string';
}
