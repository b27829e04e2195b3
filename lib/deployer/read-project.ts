import { existsSync, readFileSync, statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { readEnvFile } from './config/env-file.ts';
import { parseLocated } from './config/located.ts';
import { type Config, readConfig } from './config/read-config.ts';
import { type Report, substitute } from './config/substitute.ts';
import { DeployError, type Problem } from './deploy-error.ts';
import { mergeProject } from './merge-project.ts';
import type { Json, Project } from './project.ts';
import { type Selection, selectFunctions } from './select-functions.ts';
import { libBuild } from './source/function-directory.ts';
import { scanPackages } from './source/scan-packages.ts';

/** How a project is read. */
export interface ReadOptions {
  /** The variables that `${VAR}` stands for before the env file is asked. Default: those of this process. */
  readonly env?: Readonly<Record<string, string | undefined>>;
  /** What project.yml says, with its values in place, instead of the file. */
  readonly config?: string;
  /** The env file, relative to the working directory. Default: `.env` of the project where there is one. */
  readonly envFile?: string;
  /** Whether a variable of project.yml without a value is a problem, or left empty and listed. Default: `refuse`. */
  readonly unresolved?: 'refuse' | 'list';
  /** Which functions to take; the others are read and checked all the same. Default: all. */
  readonly only?: Selection;
}

/** Where a project declares its functions. */
export const CONFIG_FILE = 'project.yml';

/** A project as far as it could be read, and everything that is wrong with it; with nothing wrong it is whole. */
export interface Examined {
  readonly project: Project;
  readonly problems: readonly Problem[];
  /** Whether project.yml could be read; if not, the project is what lies under `packages/`, with no settings. */
  readonly isDeclared: boolean;
}

/**
 * Reads a project directory: project.yml, the functions under `packages/`, and how each is built and collected (specification, Project
 * layout; platform reference, project configuration). Builds nothing and asks no host.
 * Throws a DeployError `invalid_project` that lists every problem with file and line.
 */
export function readProject(dir: string, options: ReadOptions = {}): Project {
  const { project, problems } = examineProject(dir, options);
  if (problems.length > 0) throw invalidProject(dir, problems);
  return { ...project, packages: selectFunctions(project.packages, options.only) };
}

/** Reads a project as `readProject` does, and lists what is wrong where that throws it; all of its functions, whichever are wanted. */
export function examineProject(dir: string, options: ReadOptions = {}): Examined {
  const projectDir = resolve(dir);
  if (statSync(projectDir, { throwIfNoEntry: false })?.isDirectory() !== true) {
    throw new DeployError('invalid_project', `${dir} is no directory: name the directory that holds ${CONFIG_FILE} and packages/`);
  }
  const problems: Problem[] = [];
  const reportAt =
    (file: string): Report =>
    (line, message) => {
      problems.push({ file, line, message });
    };
  const { config, unresolved } = readConfigFile(projectDir, options, reportAt(CONFIG_FILE));
  const { packages, strays } = scanPackages(projectDir, reportAt);
  const lib = libBuild(join(projectDir, 'lib'), (file) => reportAt(file === '' ? 'lib' : `lib/${file}`));
  // What follows from nothing being declared is no problem of its own.
  const merged = mergeProject({
    projectDir,
    config: config ?? EMPTY,
    found: packages,
    reportAt: config === null ? () => () => {} : reportAt,
  });
  if (problems.length === 0 && packages.length === 0 && merged.length === 0) {
    reportAt('packages')(null, 'holds no function: put one at packages/<package>/<function>.js, or as a directory there');
  }
  const targetNamespaces = config?.targetNamespaces ?? [];
  const project = { dir: projectDir, targetNamespaces, packages: merged, lib, strays, unresolved };
  return { project, problems: byFile(problems), isDeclared: config !== null };
}

const EMPTY: Config = { targetNamespaces: [], parameters: {}, environment: {}, packages: [], inherited: [] };

/** The declared part of a project: empty without a file, null when the file cannot be read further. */
interface ConfigFile {
  readonly config: Config | null;
  /** Names of variables and files (`<name`) without a value. */
  readonly unresolved: readonly string[];
}

function readConfigFile(projectDir: string, options: ReadOptions, report: Report): ConfigFile {
  if (options.config !== undefined) {
    const root = parseLocated(options.config, (line) => line, report);
    return { config: root === null ? null : readConfig(root, report), unresolved: [] };
  }
  const path = join(projectDir, CONFIG_FILE);
  const variables = envFileVariables(projectDir, options);
  if (!existsSync(path)) {
    const misnamed = ['project.yaml', 'projectConfig.yml'].find((name) => existsSync(join(projectDir, name)));
    if (misnamed !== undefined) report(null, `is missing, and ${misnamed} is not read: rename it to ${CONFIG_FILE}`);
    return { config: EMPTY, unresolved: [] };
  }
  const env = options.env ?? process.env;
  const found: { line: number | null; message: string }[] = [];
  const collect: Report = (line, message) => void found.push({ line, message });
  const source = readFileSync(path, 'utf8');
  const substituted = substitute(
    source,
    { variable: (name) => env[name] || asText(variables[name]), file: (name) => readEnvFile(join(projectDir, name)) },
    report,
  );
  reportTabs(substituted.text, substituted.lineOf, collect);
  // What is no YAML because of a tab is told as the tab.
  const root = parseLocated(substituted.text, substituted.lineOf, found.length > 0 ? () => {} : collect);
  const config = root === null ? null : readConfig(root, collect);
  if (root === null && substituted.spoiled.size === 0 && found.length === 0)
    report(null, 'is empty: declare packages, or remove it to deploy what lies under packages/');
  if (options.unresolved !== 'list') for (const { line, message } of substituted.unresolved) report(line, message);
  // What follows from a missing value is no problem of its own; text that is no YAML because of one may break anywhere below it.
  const follows = (line: number | null): boolean =>
    root === null ? substituted.spoiled.size > 0 : line !== null && substituted.spoiled.has(line);
  for (const { line, message } of found) if (!follows(line)) report(line, message);
  return { config, unresolved: [...new Set(substituted.unresolved.map((missing) => missing.name))] };
}

function envFileVariables(projectDir: string, options: ReadOptions): Readonly<Record<string, Json>> {
  if (options.envFile === undefined) return readEnvFile(join(projectDir, '.env')) ?? {};
  const variables = readEnvFile(options.envFile);
  if (variables !== null) return variables;
  throw new DeployError(
    'invalid_project',
    `the env file ${options.envFile} does not exist: create it with NAME=value lines, or leave the option out`,
  );
}

function asText(value: Json | undefined): string | null {
  if (value === undefined || value === null) return null;
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}

function reportTabs(text: string, lineOf: (line: number) => number, report: Report): void {
  for (const [index, line] of text.split('\n').entries()) {
    if (line.includes('\t')) report(lineOf(index + 1), 'has a tab, which the platform refuses: use spaces');
  }
}

function invalidProject(dir: string, problems: readonly Problem[]): DeployError {
  const count = problems.length === 1 ? 'a problem' : `${problems.length} problems`;
  return new DeployError('invalid_project', `the project ${dir} has ${count}; nothing was built or deployed:`, { problems });
}

function byFile(problems: readonly Problem[]): readonly Problem[] {
  const files = [...new Set(problems.map((problem) => problem.file))];
  return files.flatMap((file) => problems.filter((problem) => problem.file === file).sort((a, b) => (a.line ?? 0) - (b.line ?? 0)));
}
