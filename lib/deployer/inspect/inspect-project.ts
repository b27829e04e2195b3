import { existsSync, readFileSync } from 'node:fs';
import { join, relative, sep } from 'node:path';
import { field } from '../api/connection.ts';
import { DeployError, type Problem } from '../deploy-error.ts';
import type { Project, ProjectFunction } from '../project.ts';
import { CONFIG_FILE, examineProject, type ReadOptions } from '../read-project.ts';
import { remoteProblem } from '../remote/remote-problems.ts';
import { selectFunctions } from '../select-functions.ts';
import { RAW_TYPESCRIPT } from '../source/function-file.ts';
import { inParallel } from '../upload/in-parallel.ts';
import type { Finding, Inspected, InspectionRule, Remark } from './finding.ts';
import { FILE_RULES, RAW, SETTING_RULES, unreadable } from './function-rules.ts';
import { inspectFunction } from './inspect-function.ts';

export type { Finding } from './finding.ts';

/** Some are checked by a Node.js of their own. */
const INSPECTED_AT_ONCE = 4;

/**
 * What will fail or surprise on the real platform, of a project as it lies there. Builds nothing: of a function whose build has not been run
 * only its settings are seen, which a note says.
 */
export async function inspectProject(project: Project): Promise<readonly Finding[]> {
  return inspectBy([...FILE_RULES, ...SETTING_RULES], project);
}

async function inspectBy(rules: readonly InspectionRule[], project: Project): Promise<readonly Finding[]> {
  const functions = project.packages.flatMap((pack) => pack.functions);
  const found = await inParallel(functions, INSPECTED_AT_ONCE, (entry) => findingsOf(entry, rules, project));
  return [...found.flat(), ...workspaceFindings(project)];
}

/**
 * The same for a directory. What is wrong with the project itself is told as errors. Functions that have nothing to do with it are looked at all
 * the same; where project.yml is wrong, only their files.
 */
export async function inspectDirectory(dir: string, options: ReadOptions = {}): Promise<readonly Finding[]> {
  const { project, problems, ...examined } = examineProject(dir, { unresolved: 'list', ...options });
  const fix = 'the message says how';
  const wrong = problems.map(({ file, line, message }): Finding => ({ function: null, file, line, severity: 'error', message, fix }));
  const isDeclared = examined.isDeclared && problems.every(({ file }) => file !== CONFIG_FILE);
  const chosen = { ...project, packages: chosenPackages(project, options.only, isDeclared) };
  const found = await inspectBy(isDeclared ? [...FILE_RULES, ...SETTING_RULES] : FILE_RULES, withoutWrong(chosen, problems));
  return [...wrong, ...(isDeclared ? [] : [UNDECLARED]), ...found];
}

/** A name that is not found may be declared where that could not be read. */
function chosenPackages({ packages }: Project, only: ReadOptions['only'], isDeclared: boolean): Project['packages'] {
  try {
    return selectFunctions(packages, only);
  } catch (error) {
    if (isDeclared || !(error instanceof DeployError)) throw error;
    return [];
  }
}

const UNDECLARED: Finding = {
  ...{ function: null, file: CONFIG_FILE, line: null, severity: 'note' },
  message: 'of the functions only the files were looked at, and not what depends on their settings',
  fix: 'mend project.yml, and look again',
};

/** What is left of a project without the functions in whose files something is wrong. */
function withoutWrong(project: Project, problems: readonly Problem[]): Project {
  const isWrong = ({ source }: ProjectFunction): boolean => {
    if (!('path' in source)) return false;
    const place = relative(project.dir, source.path).split(sep).join('/');
    return problems.some(({ file }) => `${file}/`.startsWith(`${place}/`));
  };
  return {
    ...project,
    packages: project.packages.map((pack) => ({ ...pack, functions: pack.functions.filter((entry) => !isWrong(entry)) })),
  };
}

async function findingsOf(entry: ProjectFunction, rules: readonly InspectionRule[], project: Project): Promise<readonly Finding[]> {
  const inspected = inspectFunction(entry, project);
  const { file, line } = entry.declaredAt;
  const place = inspected?.path ?? file;
  const told = (remark: Remark): Finding => ({
    function: entry.fullName,
    file: remark.file === undefined || entry.source.type !== 'directory' ? place : `${place}/${remark.file}`,
    line: remark.line ?? (inspected === null ? line : null),
    ...{ severity: remark.severity, message: remark.message, fix: remark.fix },
  });
  const remarks = inspected === null ? unsupportedRemarks(entry) : await remarksOn(inspected, rules);
  return [...remarks, ...remoteRemarks(entry, project)].map(told);
}

async function remarksOn(inspected: Inspected, rules: readonly InspectionRule[]): Promise<readonly Remark[]> {
  const isUnbuilt = inspected.files.length === 0 && inspected.entry.source.type === 'directory' && inspected.entry.source.build !== null;
  return [...(await unreadable(inspected)), ...rules.flatMap((rule) => rule(inspected)), ...(isUnbuilt ? [UNBUILT] : [])];
}

const UNBUILT: Remark = {
  severity: 'note',
  message: 'its build has not been run: only its settings were looked at',
  fix: 'deploy it, or run its build, and look again',
};

function unsupportedRemarks({ source }: ProjectFunction): readonly Remark[] {
  return source.type === 'unsupported' && source.reason === RAW_TYPESCRIPT ? [RAW] : [];
}

function remoteRemarks({ source, remoteBuild }: ProjectFunction, project: Project): readonly Remark[] {
  if (!remoteBuild || source.type !== 'directory' || source.build === null) return [];
  const problem = remoteProblem(source.build, project);
  if (problem === null) return [];
  return [{ severity: 'error', message: `remoteBuild: ${problem}`, fix: 'remove remoteBuild, or make the function whole in itself' }];
}

/** Members of an npm workspace install into the root, and what they need is missing from their zips (platform reference, layouts). */
function workspaceFindings(project: Project): readonly Finding[] {
  const path = join(project.dir, 'package.json');
  if (!existsSync(path) || field(parsed(path), 'workspaces') === undefined) return [];
  const carrying = project.packages
    .flatMap((pack) => pack.functions)
    .filter(({ source }) => source.type === 'directory' && source.build?.type === 'npm-install' && needsPackages(source.path));
  return carrying.map(({ fullName, source }) => ({
    function: fullName,
    file: source.type === 'directory' ? relative(project.dir, source.path).split(sep).join('/') : 'package.json',
    line: null,
    severity: 'warning',
    message:
      'the project is an npm workspace: where it takes the function in, its packages are installed at the root and are missing from its zip',
    fix: "take the function out of the root's workspaces, or bundle it",
  }));
}

function needsPackages(dir: string): boolean {
  return Object.keys(field(parsed(join(dir, 'package.json')), 'dependencies') ?? {}).length > 0;
}

function parsed(path: string): unknown {
  try {
    return JSON.parse(readFileSync(path, 'utf8'));
  } catch {
    // A file that is no JSON declares nothing; npm says so when it comes to it.
    return null;
  }
}
