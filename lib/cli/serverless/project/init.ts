import { existsSync, mkdirSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { didYouMean } from '../../../deployer/nearest-name.ts';
import { CliError } from '../../cli-error.ts';
import { typed } from '../../typed.ts';
import type { OutputOptions } from '../options.ts';
import { printJson, printLine } from '../output/print.ts';
import { javascriptProject, type ProjectFiles, typescriptProject } from './templates.ts';

export interface InitOptions extends OutputOptions {
  readonly language: string;
  readonly overwrite?: boolean;
}

const languages: Readonly<Record<string, ProjectFiles>> = {
  js: javascriptProject,
  javascript: javascriptProject,
  ts: typescriptProject,
  typescript: typescriptProject,
};

/** `init`: writes a project that deploys as it is. CliError where the directory holds something already. */
export function init(directory: string, { language, overwrite, output }: InitOptions): void {
  const files = languages[language.toLowerCase()];
  if (files === undefined) {
    const names = Object.keys(languages);
    throw new CliError(
      `--language ${language} is not one that functions here are written in${didYouMean(language, names)} (${names.join(', ')})`,
    );
  }
  if (existsSync(directory)) clear(directory, overwrite ?? false);
  for (const [name, content] of Object.entries(files)) {
    const path = join(directory, name);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, content);
  }
  if (output === 'json') {
    printJson({ directory: resolve(directory), files: Object.keys(files) });
    return;
  }
  printLine(`A local functions project directory '${directory}' was created for you.`);
  printLine('You may deploy it by running the command shown on the next line:');
  printLine(`  ${typed(`serverless deploy ${asWord(directory)}`)}`);
  printLine('To develop it on a host of this machine, with no account:');
  printLine(`  ${typed(`serverless dev ${asWord(directory)}`)}`);
}

/** A name as a shell takes it for one word. */
function asWord(name: string): string {
  return /^[\p{L}\p{N}\w@%+=:,./-]+$/u.test(name) ? name : `'${name.replaceAll("'", "'\\''")}'`;
}

/** An empty directory is as good as none. One that holds other things goes only when told, and never the one the command runs in. */
function clear(directory: string, overwrite: boolean): void {
  if (!statSync(directory).isDirectory()) throw new CliError(`${directory} is a file: choose another name for the project`);
  if (readdirSync(directory).length === 0) return;
  if (!overwrite)
    throw new CliError(`${directory} already exists and is not empty; use --overwrite to clear it first, or choose another name`);
  if (`${process.cwd()}/`.startsWith(`${resolve(directory)}/`)) {
    throw new CliError(`${directory} is where this command runs, or above it: it is not cleared; choose another directory`);
  }
  rmSync(directory, { recursive: true });
}
