import type { Environment, JsonObject } from '../project.ts';
import { type DeclaredFunction, FUNCTION_RULES } from './function-rules.ts';
import type { Located } from './located.ts';
import { environment, flag, type Rule, type Rules, readKeys, record, refuse, text, web } from './rules.ts';
import type { Report } from './substitute.ts';

/** What project.yml says, before the disk is asked. */
export interface Config {
  readonly targetNamespaces: readonly string[];
  readonly parameters: JsonObject;
  readonly environment: Environment;
  readonly packages: readonly ConfigPackage[];
  /** The keys of the whole project that its packages inherit, with their lines. */
  readonly inherited: readonly { readonly key: string; readonly line: number }[];
}

export interface ConfigPackage {
  readonly name: string;
  readonly line: number;
  readonly shared: boolean;
  readonly web: boolean | 'raw' | null;
  readonly parameters: JsonObject;
  readonly environment: Environment;
  readonly annotations: JsonObject;
  readonly binding: { readonly namespace: string; readonly name: string } | null;
  readonly functions: readonly ConfigFunction[];
}

export interface ConfigFunction {
  readonly name: string;
  readonly line: number;
  /** Line of the `runtime` key, or of the function. */
  readonly runtimeLine: number;
  readonly declared: DeclaredFunction;
}

/**
 * Reads the levels of project.yml (platform reference, project configuration), reporting everything that is wrong with its keys and values.
 */
export function readConfig(root: Located, report: Report): Config {
  const top = readKeys(root, TOP_RULES, 'project.yml', report) ?? {};
  const inherited = (['parameters', 'environment'] as const).filter((key) => Object.keys(top[key] ?? {}).length > 0);
  return {
    targetNamespaces: top.targetNamespace ?? [],
    parameters: top.parameters ?? {},
    environment: top.environment ?? {},
    packages: top.packages ?? [],
    inherited: inherited.map((key) => ({ key, line: lineOfKey(root, key) })),
  };
}

/** Why a name cannot be a function's or a package's, or null. */
export function nameProblem(name: string): string | null {
  if (!/^\w([\w@ .-]*[\w@.-])?$/.test(name) || name.length > 256) {
    return `"${name}" cannot be a name: letters, digits, _ @ . - and inner spaces, beginning with a letter, a digit or _`;
  }
  return name.includes('_tmp_') ? `"${name}" cannot be a name: the platform leaves out every path with _tmp_ in it` : null;
}

interface Top {
  readonly packages?: readonly ConfigPackage[];
  readonly parameters?: JsonObject;
  readonly environment?: Environment;
  readonly targetNamespace?: readonly string[];
}
interface Binding {
  readonly namespace?: string;
  readonly name?: string;
}
interface DeclaredPackage {
  readonly name?: string;
  readonly functions?: readonly ConfigFunction[];
  readonly actions?: readonly ConfigFunction[];
  readonly parameters?: JsonObject;
  readonly environment?: Environment;
  readonly annotations?: JsonObject;
  readonly shared?: boolean;
  readonly web?: boolean | 'raw';
  readonly binding?: Binding;
}

const targetNamespace: Rule<readonly string[]> = (node, where, report) => {
  if (node.type === 'scalar')
    return typeof node.value === 'string' ? [node.value] : refuse(node, where, 'a namespace, or test and production', report);
  const declared = readKeys<{ test?: string; production?: string }>(node, { test: text, production: text }, where, report);
  return [declared?.test, declared?.production].filter((name) => name !== undefined);
};

const packages: Rule<readonly ConfigPackage[]> = (node, where, report) => {
  if (node.type !== 'list') return refuse(node, where, 'a list of packages', report);
  const read = node.items.map((item, index) => readPackage(item, index, report)).filter((pack) => pack !== undefined);
  reportTwice(read, 'the package', report);
  return read;
};

const functions: Rule<readonly ConfigFunction[]> = (node, where, report) => {
  if (node.type !== 'list') return refuse(node, where, 'a list of functions', report);
  const label = where.replace(/: (functions|actions)$/, '').replace(/^package /, '');
  const read = node.items.map((item, index) => readFunction(item, index, label, report)).filter((entry) => entry !== undefined);
  reportTwice(read, `in package ${label} the function`, report);
  return read;
};

const binding: Rule<Binding> = (node, where, report) => {
  const read = readKeys<Binding>(node, { namespace: text, name: text }, where, report);
  if (read === undefined || (read.namespace !== undefined && read.name !== undefined)) return read;
  report(node.line, `${where}: namespace and name (of the package) are both needed`);
  return undefined;
};

const TOP_RULES: Rules<Top> = { packages, parameters: record, environment, targetNamespace };
const PACKAGE_RULES: Rules<DeclaredPackage> = {
  name: text,
  functions,
  actions: functions,
  parameters: record,
  environment,
  annotations: record,
  shared: flag,
  web,
  binding,
};

function readPackage(node: Located, index: number, report: Report): ConfigPackage | undefined {
  const name = nameOf(node, `packages[${index}]`, report);
  const declared = readKeys(node, PACKAGE_RULES, `package ${name ?? index}`, report);
  if (declared === undefined || name === undefined) return undefined;
  if (declared.functions !== undefined && declared.actions !== undefined) {
    report(node.line, `package ${name}: functions and actions mean the same: keep one`);
  }
  const pack = {
    name,
    line: node.line,
    shared: declared.shared ?? false,
    web: declared.web ?? null,
    parameters: declared.parameters ?? {},
    environment: declared.environment ?? {},
    annotations: declared.annotations ?? {},
    binding: completeBinding(declared.binding),
    functions: declared.functions ?? declared.actions ?? [],
  };
  if (name === 'default') checkDefaultPackage(pack, report);
  if (pack.binding !== null && pack.functions.length > 0) report(node.line, `package ${name}: a bound package has no functions of its own`);
  return pack;
}

function readFunction(node: Located, index: number, packageName: string, report: Report): ConfigFunction | undefined {
  const name = nameOf(node, `package ${packageName}: functions[${index}]`, report);
  const where = `function ${packageName}/${name ?? index}`;
  const declared = readKeys(node, FUNCTION_RULES, where, report);
  if (declared === undefined || name === undefined) return undefined;
  if (declared.remoteBuild === true && declared.localBuild === true)
    report(node.line, `${where}: remoteBuild and localBuild exclude each other: keep one`);
  const spoiled = (['runtime', 'binary', 'main', 'file'] as const).filter((key) => declared[key] !== undefined);
  if (declared.sequence !== undefined && spoiled.length > 0) {
    report(node.line, `${where}: a sequence has no code of its own: remove ${spoiled.join(', ')}`);
  }
  return { name, line: node.line, runtimeLine: lineOfKey(node, 'runtime'), declared };
}

function nameOf(node: Located, where: string, report: Report): string | undefined {
  const entry = node.type === 'map' ? node.entries.find((candidate) => candidate.key === 'name') : undefined;
  if (entry === undefined) {
    report(node.line, `${where}: a name is needed`);
    return undefined;
  }
  // A name that is no string is reported by the rule of its key.
  if (entry.value.type !== 'scalar' || typeof entry.value.value !== 'string') return undefined;
  const problem = nameProblem(entry.value.value);
  if (problem !== null) report(entry.line, `${where}: ${problem}`);
  return problem === null ? entry.value.value : undefined;
}

function checkDefaultPackage(pack: ConfigPackage, report: Report): void {
  const own = (['parameters', 'environment', 'annotations'] as const).filter((key) => Object.keys(pack[key]).length > 0);
  const extra = [...own, ...(pack.shared ? ['shared'] : []), ...(pack.binding === null ? [] : ['binding'])];
  for (const key of extra) report(pack.line, `package default: takes no ${key}: set it on the functions, or name a package`);
}

function reportTwice(items: readonly { readonly name: string; readonly line: number }[], what: string, report: Report): void {
  const first = new Map<string, number>();
  for (const { name, line } of items) {
    const before = first.get(name);
    if (before === undefined) first.set(name, line);
    else report(line, `${what} ${name} is declared twice, first on line ${before}: keep one`);
  }
}

function completeBinding(declared: Binding | undefined): ConfigPackage['binding'] {
  const { namespace, name } = declared ?? {};
  return namespace === undefined || name === undefined ? null : { namespace, name };
}

function lineOfKey(node: Located, key: string): number {
  const entry = node.type === 'map' ? node.entries.find((candidate) => candidate.key === key) : undefined;
  return entry?.line ?? node.line;
}
