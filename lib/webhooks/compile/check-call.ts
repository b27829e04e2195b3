import { isMap, isScalar, isSeq, type Node } from 'yaml';
import { readingRulesOf } from '../../catalogue/additions.ts';
import type { Catalogue } from '../../catalogue/catalogue.ts';
import { nearest } from '../../catalogue/nearest.ts';
import { readArguments } from '../../catalogue/read-arguments.ts';
import { hintsOf, pathArguments, type Tool } from '../../catalogue/tool.ts';
import { ToolError } from '../../errors.ts';
import type { HookCall, Template } from '../hook.ts';
import { checkedExpression } from './check-expression.ts';
import { itemsOf, type Member, membersOf, type Source, shown, textOf } from './source.ts';

/** A call of a hook: a tool that there is, with arguments that it takes. What an expression will find is for the delivery to tell. */
export function checkedCall(node: Node, where: string, catalogue: Catalogue, source: Source): HookCall | undefined {
  const members = membersOf(node, where, ['tool', 'with'], source);
  const named = members.find(({ name }) => name === 'tool');
  const name = textOf(named?.value, `${where}: tool`, source, node);
  if (name === undefined) return undefined;
  const tool = toolNamed(name, catalogue);
  const given = members.find((member) => member.name === 'with');
  if (!tool) {
    const near = nearest(name, catalogue.names);
    source.refuse(named?.value, `${where}: no tool is called ${JSON.stringify(name)}${near ? ` (did you mean ${near}?)` : ''}`);
    // Its expressions are right or wrong whatever the tool is.
    if (given) templatesOf(given, name, source);
    return undefined;
  }
  const template = given ? argumentsOf(given, tool, catalogue, source) : { members: {} };
  if (!given) checkRequired([], tool, catalogue, named?.value ?? node, source);
  return template && { tool: tool.name, readOnly: hintsOf(tool).readOnly, with: template };
}

function toolNamed(name: string, catalogue: Catalogue): Tool | undefined {
  try {
    return catalogue.tool(name);
  } catch (failure) {
    if (failure instanceof ToolError) return undefined;
    throw failure;
  }
}

function argumentsOf(given: Member, tool: Tool, catalogue: Catalogue, source: Source): Template | undefined {
  const read = templatesOf(given, tool.name, source);
  checkNames(read, tool, catalogue, source);
  checkRequired(
    read.map(({ name }) => name),
    tool,
    catalogue,
    given.value ?? given.key,
    source,
  );
  for (const { name, value: at, template } of read) {
    if (template && isLiteral(template)) checkValue(name, literalOf(template), at, tool, catalogue, source);
  }
  const templates = read.flatMap(({ name, template }) => (template ? [[name, template] as const] : []));
  return templates.length === read.length ? { members: Object.fromEntries(templates) } : undefined;
}

/** What is given to a tool, with what each argument is to become; undefined for one that cannot be. */
function templatesOf(
  { key, value }: Member,
  tool: string,
  source: Source,
): readonly (Member & { readonly template: Template | undefined })[] {
  return membersOf(value, `${tool}: with`, undefined, source, key).map((member) => ({
    ...member,
    template: templateOf(member.value, `${tool}: ${member.name}`, source, member.key),
  }));
}

/** The names an argument of the tool goes by, without regard to case. */
function argumentNamed(name: string, tool: Tool, catalogue: Catalogue): string | undefined {
  const known = Object.keys(catalogue.schemaOf(tool.name).properties ?? {});
  const aliases = Object.entries(tool.aliases ?? {});
  const wanted = name.toLowerCase();
  return known.find((one) => one.toLowerCase() === wanted) ?? aliases.find(([alias]) => alias.toLowerCase() === wanted)?.[1];
}

function checkNames(members: readonly Member[], tool: Tool, catalogue: Catalogue, source: Source): void {
  const known = Object.keys(catalogue.schemaOf(tool.name).properties ?? {});
  for (const { name, key } of members) {
    if (argumentNamed(name, tool, catalogue) !== undefined) continue;
    const near = nearest(name, known);
    const takes = known.length > 0 ? `it takes ${known.join(', ')}` : 'it takes none';
    source.refuse(key, `${tool.name} has no argument ${JSON.stringify(name)}; ${takes}${near ? ` (did you mean ${near}?)` : ''}`);
  }
}

function checkRequired(names: readonly string[], tool: Tool, catalogue: Catalogue, at: Node, source: Source): void {
  const given = names.map((name) => argumentNamed(name, tool, catalogue));
  const { required = [] } = catalogue.schemaOf(tool.name);
  const missing = required.filter((name) => !given.includes(name));
  if (missing.length > 0) source.refuse(at, `${tool.name} needs ${missing.join(', ')}`);
}

/** A value that is written out is held to the tool's schema now. */
function checkValue(name: string, value: unknown, at: Node | undefined, tool: Tool, catalogue: Catalogue, source: Source): void {
  if (argumentNamed(name, tool, catalogue) === undefined) return;
  const { required: _, ...schema } = catalogue.schemaOf(tool.name);
  const rules = { ...readingRulesOf(tool), check: undefined };
  try {
    // The rules between arguments wait for the delivery, when all of them are there.
    readArguments(tool.name, schema, { [name]: value }, { path: pathArguments(tool), rules });
  } catch (failure) {
    if (!(failure instanceof ToolError)) throw failure;
    source.refuse(at, failure.message);
  }
}

/** A text that begins with `=` is an expression; `==` stands for a text that begins with `=`. */
function templateOf(node: Node | undefined, where: string, source: Source, at: Node): Template | undefined {
  if (isMap(node)) {
    const members = membersOf(node, where, undefined, source).map(
      ({ name, key, value }) => [name, templateOf(value, `${where}.${name}`, source, key)] as const,
    );
    const whole = members.flatMap(([name, template]) => (template ? [[name, template] as const] : []));
    return whole.length === members.length ? { members: Object.fromEntries(whole) } : undefined;
  }
  if (isSeq(node)) {
    const items = itemsOf(node, where, source).map((item, index) => templateOf(item, `${where}[${index}]`, source, at));
    const whole = items.filter((item) => item !== undefined);
    return whole.length === items.length ? { items: whole } : undefined;
  }
  const value = isScalar(node) ? node.value : undefined;
  if (typeof value === 'string' && value.startsWith('==')) return { value: value.slice(1) };
  if (typeof value === 'string' && value.startsWith('=')) {
    const expression = checkedExpression(value.slice(1).trim(), node ?? at, where, source);
    return expression === undefined ? undefined : { expression };
  }
  if (value === null || typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean') return { value };
  source.refuse(node ?? at, `${where}: expected a value, got ${shown(node)}`);
  return undefined;
}

function isLiteral(template: Template): boolean {
  if ('items' in template) return template.items.every(isLiteral);
  return 'members' in template ? Object.values(template.members).every(isLiteral) : 'value' in template;
}

function literalOf(template: Template): unknown {
  if ('items' in template) return template.items.map(literalOf);
  if ('members' in template) return Object.fromEntries(Object.entries(template.members).map(([name, member]) => [name, literalOf(member)]));
  return 'value' in template ? template.value : undefined;
}
