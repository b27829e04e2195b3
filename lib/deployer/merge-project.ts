import { existsSync } from 'node:fs';
import { isAbsolute, join, normalize } from 'node:path';
import type { DeclaredFunction } from './config/function-rules.ts';
import type { Config, ConfigFunction, ConfigPackage } from './config/read-config.ts';
import { didYouMean } from './nearest-name.ts';
import type { FunctionSource, ProjectFunction, ProjectPackage } from './project.ts';
import { isSequence, orderSequences } from './sequence-order.ts';
import { otherLanguageReason } from './source/function-file.ts';
import { compareBytes } from './source/list-files.ts';
import { type FoundFunction, type FoundPackage, functionAt, type ReportAt, sourceFor } from './source/scan-packages.ts';

/** What project.yml says and what the disk has. */
export interface ProjectParts {
  readonly projectDir: string;
  readonly config: Config;
  readonly found: readonly FoundPackage[];
  readonly reportAt: ReportAt;
}

const CONFIG_FILE = 'project.yml';

/**
 * Brings both sides together by name: functions of the disk that project.yml does not name are deployed with defaults; one that it names
 * must exist. The project's parameters and environment are merged into each package.
 */
export function mergeProject(parts: ProjectParts): readonly ProjectPackage[] {
  const { config, found } = parts;
  const names = new Set([...config.packages.map((pack) => pack.name), ...found.map((pack) => pack.name)]);
  if (names.has('default')) reportInherited(parts);
  const packages = [...names].sort(compareBytes).map((name) => mergePackage(name, parts));
  const functions = packages.flatMap((pack) => pack.functions);
  reportSharedTriggers(functions, parts);
  reportCircle(functions, parts);
  return packages;
}

function reportSharedTriggers(functions: readonly ProjectFunction[], parts: ProjectParts): void {
  const owners = new Map<string, string>();
  for (const { fullName, triggers, declaredAt } of functions) {
    for (const { name } of triggers) {
      const owner = owners.get(name);
      if (owner === undefined) owners.set(name, fullName);
      else
        parts.reportAt(declaredAt.file)(
          declaredAt.line,
          `function ${fullName}: the trigger ${name} is declared already, for ${owner}: a namespace has one of a name, rename it`,
        );
    }
  }
}

function reportCircle(functions: readonly ProjectFunction[], parts: ProjectParts): void {
  const order = orderSequences(functions.filter(isSequence), '_');
  if ('ordered' in order) return;
  const first = functions.find((entry) => entry.fullName === order.circle[0]);
  const message = `the sequences ${order.circle.join(' -> ')} run each other without end: break the circle`;
  parts.reportAt(CONFIG_FILE)(first?.declaredAt.line ?? null, message);
}

function mergePackage(name: string, parts: ProjectParts): ProjectPackage {
  const { config } = parts;
  const declared = config.packages.find((pack) => pack.name === name) ?? null;
  const onDisk = parts.found.find((pack) => pack.name === name)?.functions ?? [];
  if (declared !== null && declared.binding !== null && onDisk.length > 0) {
    parts.reportAt(CONFIG_FILE)(
      declared.line,
      `package ${name}: a bound package has no functions of its own, and packages/${name}/ has some`,
    );
  }
  const entries = declared?.functions ?? [];
  const undeclared = onDisk.filter((found) => !entries.some((entry) => entry.name === found.name));
  const functions = [
    ...entries.map((entry) => declaredFunction(name, declared, entry, onDisk, parts)).filter((entry) => entry !== null),
    ...undeclared.map((found) => foundFunction(name, declared, found, parts)),
  ];
  return {
    name,
    shared: declared?.shared ?? false,
    parameters: { ...config.parameters, ...declared?.parameters },
    environment: { ...config.environment, ...declared?.environment },
    annotations: declared?.annotations ?? {},
    binding: declared?.binding ?? null,
    functions: functions.sort((a, b) => compareBytes(a.name, b.name)),
  };
}

function declaredFunction(
  packageName: string,
  pack: ConfigPackage | null,
  entry: ConfigFunction,
  onDisk: readonly FoundFunction[],
  parts: ProjectParts,
): ProjectFunction | null {
  const found = onDisk.find((candidate) => candidate.name === entry.name);
  const runtime = entry.declared.runtime ?? found?.runtime ?? null;
  const source = declaredSource(packageName, entry, runtime, onDisk, parts);
  if (source === null) return null;
  const line = entry.declared.runtime === undefined ? entry.line : entry.runtimeLine;
  const declaredAt = { file: CONFIG_FILE, line };
  return projectFunction({ packageName, pack, name: entry.name, declared: entry.declared, source, runtime, declaredAt }, parts);
}

function foundFunction(packageName: string, pack: ConfigPackage | null, found: FoundFunction, parts: ProjectParts): ProjectFunction {
  const { name, runtime } = found;
  const declaredAt = { file: found.path, line: null };
  return projectFunction({ packageName, pack, name, declared: {}, source: sourceFor(found, runtime), runtime, declaredAt }, parts);
}

interface FunctionParts {
  readonly packageName: string;
  readonly pack: ConfigPackage | null;
  readonly name: string;
  readonly declared: DeclaredFunction;
  readonly source: FunctionSource;
  readonly runtime: string | null;
  readonly declaredAt: ProjectFunction['declaredAt'];
}

function projectFunction(
  { packageName, pack, name, declared, source, runtime, declaredAt }: FunctionParts,
  parts: ProjectParts,
): ProjectFunction {
  const fullName = fullNameOf(packageName, name);
  if (source.type === 'file' && source.path.endsWith('.zip') && runtime === null) {
    const fix = `name it ${name}.nodejs-24.zip, or declare the runtime in ${CONFIG_FILE}`;
    parts.reportAt(declaredAt.file)(declaredAt.line, `function ${fullName}: a zip does not tell its kind: ${fix}`);
  }
  return {
    name,
    package: packageName,
    fullName,
    source,
    runtime,
    main: declared.main ?? null,
    web: declared.web ?? pack?.web ?? true,
    webSecure: declared.webSecure ?? false,
    parameters: declared.parameters ?? {},
    environment: declared.environment ?? {},
    annotations: declared.annotations ?? {},
    limits: declared.limits ?? {},
    triggers: declared.triggers ?? [],
    binary: declared.binary ?? null,
    remoteBuild: declared.remoteBuild ?? false,
    localBuild: declared.localBuild ?? false,
    declaredAt,
  };
}

function declaredSource(
  packageName: string,
  entry: ConfigFunction,
  runtime: string | null,
  onDisk: readonly FoundFunction[],
  parts: ProjectParts,
): FunctionSource | null {
  const report = parts.reportAt(CONFIG_FILE);
  const { declared } = entry;
  const found = onDisk.find((candidate) => candidate.name === entry.name);
  const where = `function ${fullNameOf(packageName, entry.name)}`;
  if (declared.docker !== undefined) return { type: 'unsupported', reason: otherLanguageReason(`the image ${declared.docker}`) };
  if (declared.sequence !== undefined) {
    if (found !== undefined)
      report(entry.line, `${where}: a sequence has no code of its own, and ${found.path} exists: remove one of them`);
    return { type: 'sequence', components: declared.sequence };
  }
  if (declared.file !== undefined) return fileSource(declared.file, where, entry.line, runtime, parts);
  if (found !== undefined) return sourceFor(found, runtime);
  const nearest = didYouMean(
    entry.name,
    onDisk.map((candidate) => candidate.name),
  );
  report(entry.line, `${where}: there is no packages/${packageName}/${entry.name} (a directory, or a file ${entry.name}.js)${nearest}`);
  return null;
}

function fileSource(file: string, where: string, line: number, runtime: string | null, parts: ProjectParts): FunctionSource | null {
  const report = parts.reportAt(CONFIG_FILE);
  const path = normalize(file).replaceAll('\\', '/').replace(/\/$/, '');
  const found = isAbsolute(path) || path.split('/')[0] === '..' ? null : functionAtOrStray(path, parts);
  if (found !== null && !('stray' in found)) return sourceFor(found, runtime);
  report(line, `${where}: file: "${file}" ${found === null ? 'leaves the project: name a path inside it' : found.stray}`);
  return null;
}

function functionAtOrStray(path: string, parts: ProjectParts): ReturnType<typeof functionAt> {
  if (!existsSync(join(parts.projectDir, path))) return { stray: 'does not exist in the project' };
  return functionAt(parts.projectDir, path, parts.reportAt);
}

function reportInherited(parts: ProjectParts): void {
  for (const { key, line } of parts.config.inherited) {
    const fix = 'set them on its functions, or give those a named package';
    parts.reportAt(CONFIG_FILE)(line, `project.yml: ${key} of the project go to its packages, and the default package takes none: ${fix}`);
  }
}

function fullNameOf(packageName: string, name: string): string {
  return packageName === 'default' ? name : `${packageName}/${name}`;
}
