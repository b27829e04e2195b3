import { relative, sep } from 'node:path';
import type { BuildStep, Json, JsonObject, Project, ProjectFunction, ProjectPackage, Trigger } from './project.ts';

/**
 * What a project holds, as a value for other tools: the structure that the documented `get-metadata` prints. Paths are relative to the
 * project. What is empty or not declared is left out. Environment values are told as project.yml has them.
 */
export function projectMetadata(project: Project): JsonObject {
  return {
    ...filled({ targetNamespace: targetNamespace(project) }),
    ...(project.lib === null ? {} : { libBuild: buildName(project.lib) }),
    packages: project.packages.map((pack) => packageMetadata(pack, project)),
    strays: project.strays.map((stray) => stray.name),
    ...filled({ unresolvedVariables: project.unresolved }),
  };
}

function targetNamespace({ targetNamespaces }: Project): Json {
  const [only, ...others] = targetNamespaces;
  return only !== undefined && others.length === 0 ? only : targetNamespaces;
}

function packageMetadata(pack: ProjectPackage, project: Project): JsonObject {
  const { name, shared, parameters, environment, annotations, binding } = pack;
  return {
    name,
    shared,
    ...filled({ parameters, environment, annotations }),
    ...(binding === null ? {} : { binding: { ...binding } }),
    functions: pack.functions.map((entry) => functionMetadata(entry, project)),
  };
}

function functionMetadata(entry: ProjectFunction, project: Project): JsonObject {
  const { name, runtime, main, binary, web, webSecure, parameters, environment, annotations, limits, triggers } = entry;
  return {
    name,
    package: entry.package,
    ...sourceMetadata(entry, project),
    ...(runtime === null ? {} : { runtime }),
    ...(main === null ? {} : { main }),
    ...(binary === null ? {} : { binary }),
    web,
    ...(webSecure === false ? {} : { webSecure }),
    ...filled({ parameters, environment, annotations, limits: { ...limits }, triggers: triggers.map(triggerMetadata) }),
    ...(entry.remoteBuild ? { remoteBuild: true } : {}),
    ...(entry.localBuild ? { localBuild: true } : {}),
  };
}

function sourceMetadata({ source }: ProjectFunction, { dir }: Project): JsonObject {
  const shown = (path: string): string => relative(dir, path).split(sep).join('/');
  if (source.type === 'sequence') return { sequence: source.components };
  if (source.type === 'unsupported') return { unsupported: source.reason };
  if (source.type === 'file') return { file: shown(source.path) };
  const withoutBuild = source.include === null ? 'identify' : '.include';
  return { file: shown(source.path), build: source.build === null ? withoutBuild : buildName(source.build) };
}

/** The word of the documented structure: what is found in the directory. */
function buildName({ type }: BuildStep): string {
  return type === 'build.sh' || type === 'build.cmd' ? type : 'package.json';
}

function triggerMetadata({ name, enabled, cron, body }: Trigger): JsonObject {
  return { name, type: 'SCHEDULED', enabled, scheduledDetails: { cron, ...(body === null ? {} : { body }) } };
}

/** Without the members that hold nothing. */
function filled(members: JsonObject): JsonObject {
  return Object.fromEntries(
    Object.entries(members).filter(([, value]) => typeof value !== 'object' || Object.keys(value ?? {}).length > 0),
  );
}
