import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import ignore from 'ignore';
import { DeployError } from '../deploy-error.ts';
import type { Target } from '../functions-api.ts';
import type { Environment, JsonObject, Project, ProjectFunction } from '../project.ts';
import { leftOutAlways } from '../source/left-out.ts';
import { listFiles } from '../source/list-files.ts';
import { type ZippedFile, zipFiles } from '../source/pack-files.ts';
import { digest } from '../upload/digest.ts';
import { encryptConfig } from './slice-cipher.ts';

/** What a builder gets of a project: a zip with one function, `lib/` and an encrypted project.yml, and the key to that. */
export interface Slice {
  readonly zip: Buffer;
  readonly encryptionKey: string;
}

/** What one function's slice is made of, before it is bound to a host: files, settings, and the digest of both. */
export interface SliceContent {
  readonly files: readonly ZippedFile[];
  readonly settings: JsonObject;
  readonly digest: string;
}

const MOST_BYTES = 64 * 1024 * 1024;

/** What a build leaves behind: it is made anew where the slice is built. */
const BUILT = ['node_modules', '__deployer__.zip', '.built'];

/**
 * Gathers what a remote build of a function needs (platform reference, REST row 16): the function's directory, `lib/`, and its settings.
 * Installed packages stay here: those of this machine may not run there.
 */
export function sliceContent(entry: ProjectFunction, kind: string, project: Project, buildEnv: Environment): SliceContent {
  const dir = entry.source.type === 'directory' ? entry.source.path : project.dir;
  const lib = join(project.dir, 'lib');
  const files = [
    ...filesBelow(dir, `packages/${entry.package}/${entry.name}`),
    ...(statSync(lib, { throwIfNoEntry: false })?.isDirectory() === true ? filesBelow(lib, 'lib') : []),
  ];
  const settings = { packages: [packageOf(entry, kind, project)], buildEnv };
  const contents = files.map(({ name, content, executable }) => [name, executable, content.toString('base64')]);
  return { files, settings, digest: digest({ contents, settings }) };
}

/** Binds a slice to the host it is deployed on. `annotation` says who deploys; it comes back on the function. */
export async function makeSlice(content: SliceContent, target: Target, namespace: string, annotation: JsonObject): Promise<Slice> {
  const config = {
    ...content.settings,
    targetNamespace: namespace,
    credentials: { namespace, ow: { apihost: target.apihost, api_key: target.auth } },
    flags: { incremental: false, remoteBuild: false, verboseBuild: true },
    // The package is on the host already: the builder is to leave it.
    deployerAnnotation: { ...annotation, newSliceHandling: true },
    slice: true,
  };
  // JSON is YAML, and the same in every version of it.
  const encrypted = encryptConfig(JSON.stringify(config));
  const configFile = { name: 'project.yml', content: Buffer.from(encrypted.config), executable: false };
  const zip = await zipFiles([...content.files, configFile]);
  if (zip.length <= MOST_BYTES) return { zip, encryptionKey: encrypted.key };
  throw new DeployError(
    'too_large',
    `its sources and lib have ${zip.length} bytes as a zip, a remote build takes ${MOST_BYTES} (64 MB): move what is no source elsewhere`,
  );
}

function filesBelow(dir: string, prefix: string): readonly ZippedFile[] {
  const leftOut = ignore().add(leftOutAlways()).add(BUILT);
  return listFiles(dir, (path) => leftOut.ignores(path)).map((name) => {
    const path = join(dir, name);
    return { name: `${prefix}/${name}`, content: readFileSync(path), executable: (statSync(path).mode & 0o111) !== 0 };
  });
}

function packageOf(entry: ProjectFunction, kind: string, project: Project): JsonObject {
  const pack = project.packages.find((candidate) => candidate.name === entry.package);
  const inherited: JsonObject =
    pack === undefined || pack.name === 'default'
      ? {}
      : { shared: pack.shared, parameters: pack.parameters, environment: pack.environment, annotations: pack.annotations };
  return { name: entry.package, ...inherited, functions: [settingsOf(entry, kind)] };
}

function settingsOf(entry: ProjectFunction, kind: string): JsonObject {
  const { name, main, binary, web, webSecure, annotations, parameters, environment, limits } = entry;
  const declared = { ...(main !== null && { main }), ...(binary !== null && { binary }) };
  return { name, runtime: kind, ...declared, web, webSecure, annotations, parameters, environment, limits: { ...limits } };
}
