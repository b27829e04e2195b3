import { readFileSync } from 'node:fs';
import { relative } from 'node:path';
import { type BuildOptions, buildStep } from './build/build-step.ts';
import { buildCommands } from './build/run-build.ts';
import { DeployError } from './deploy-error.ts';
import type { FunctionSource, ProjectFunction } from './project.ts';
import { type CollectedFile, collectFiles } from './source/collect-files.ts';
import {
  isJavaScript,
  isTypeScript,
  otherLanguage,
  otherLanguageReason,
  RAW_TYPESCRIPT,
  READ_AS_JAVASCRIPT,
} from './source/function-file.ts';
import { isReadAsJavaScript, mainFileOf } from './source/main-file.ts';
import { type Code, packFiles } from './source/pack-files.ts';
import { syntaxProblem } from './source/syntax-problem.ts';

/** How functions are made ready. */
export interface MakeOptions extends BuildOptions {
  readonly projectDir: string;
  readonly build: 'always' | 'never';
}

/** A function ready to be uploaded, or the reason why it cannot run. */
export type Made = { readonly type: 'code'; readonly code: Code } | { readonly type: 'skipped'; readonly reason: string };

/** Builds a function where its directory asks for it, collects its files and packs them. Throws a DeployError. */
export async function makeFunction(entry: ProjectFunction, options: MakeOptions): Promise<Made> {
  const { source } = entry;
  if (source.type === 'unsupported') return { type: 'skipped', reason: source.reason };
  if (source.type === 'sequence') throw new DeployError('unsupported', `${entry.fullName} is a sequence and has no code`);
  const files = source.type === 'file' ? [{ path: source.path, name: source.path }] : await filesOfDirectory(entry, source, options);
  const reason = source.type === 'directory' ? unrunnable(files) : null;
  if (reason !== null) return { type: 'skipped', reason };
  await checkSyntax(entry, files, options.projectDir);
  if (source.type === 'file' && isTypeScript(source.path)) options.onProgress(`${entry.fullName}: ${READ_AS_JAVASCRIPT}`);
  return { type: 'code', code: await packFiles(files, entry.binary ?? false) };
}

async function filesOfDirectory(
  entry: ProjectFunction,
  source: FunctionSource & { readonly type: 'directory' },
  options: MakeOptions,
): Promise<readonly CollectedFile[]> {
  const { build } = source;
  const shown = relative(options.projectDir, source.path);
  if (build !== null && options.build === 'always') await buildStep(build, entry.fullName, options);
  if (build?.type === 'npm-build' && source.include === null) {
    options.onProgress(
      `${entry.fullName}: has no .include, so its sources and development dependencies are deployed beside what it builds`,
    );
  }
  const { files, surprising } = collectFiles(source.path, source.include, howToBuild(source, shown, options));
  for (const name of surprising)
    options.onProgress(`${entry.fullName}: left out ${name}: the platform leaves out _tmp_, .deployed, .nimbella and .# in names`);
  if (files.length === 0) throw new DeployError('invalid_project', `${shown} has no file to deploy: every one is left out by .ignore`);
  return files;
}

function howToBuild(source: FunctionSource & { readonly type: 'directory' }, shown: string, options: MakeOptions): string {
  if (source.build === null) return 'create it, or take the line out of .include';
  if (options.build === 'always')
    return `the build (${buildCommands(source.build)}) ended well without making it: check the name of its output`;
  return `build it first: (cd ${shown} && ${buildCommands(source.build)})`;
}

/** What cannot be read would take the place of a version that works. */
async function checkSyntax({ runtime, source }: ProjectFunction, files: readonly CollectedFile[], projectDir: string): Promise<void> {
  const main = mainFileOf(files, manifestOf(files));
  if (main === null || !isReadAsJavaScript(main.name, source)) return;
  const problem = await syntaxProblem(main.name, readFileSync(main.path, 'utf8'), runtime);
  if (problem === null) return;
  const place = `${relative(projectDir, main.path)}${problem.line === null ? '' : `:${problem.line}`}`;
  const advice = isTypeScript(main.name) ? `\n${RAW_TYPESCRIPT}` : '';
  throw new DeployError('invalid_project', `${place}: ${problem.message}${advice}`);
}

function manifestOf(files: readonly CollectedFile[]): unknown {
  const manifest = files.find(({ name }) => name === 'package.json');
  try {
    return manifest === undefined ? null : JSON.parse(readFileSync(manifest.path, 'utf8'));
  } catch {
    // One that is no JSON was told of when the project was read.
    return null;
  }
}

function unrunnable(files: readonly CollectedFile[]): string | null {
  if (files.some(({ name }) => isJavaScript(name) || name.endsWith('.zip'))) return null;
  if (files.some(({ name }) => isTypeScript(name))) return RAW_TYPESCRIPT;
  const language = files.map(({ name }) => otherLanguage(name)).find((found) => found !== null);
  if (language !== undefined && language !== null) return otherLanguageReason(language);
  throw new DeployError(
    'invalid_project',
    `no JavaScript among the files to deploy (${files
      .map(({ name }) => name)
      .slice(0, 5)
      .join(', ')}): add the function's code, or list it in .include`,
  );
}
