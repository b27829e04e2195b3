import { builderApi } from '../api/builder-api.ts';
import { DeployError } from '../deploy-error.ts';
import type { Deployment } from '../deployment.ts';
import type { Project, ProjectFunction } from '../project.ts';
import { toldWhile } from '../told-while.ts';
import { deployedNote, deployedTriggers, deployerAnnotation } from '../upload/deployer-annotation.ts';
import type { PutFunction } from '../upload/put-function.ts';
import { makeSlice, sliceContent } from './make-slice.ts';

/** A function that a host built and put. `bytes` is the size of what was sent: only the host has seen the code. */
export interface PutRemotely extends PutFunction {
  readonly bytes: number;
}

/** True for a function whose build is to run on the host: where it has one, and neither it nor the deployment wants it here. */
export function isBuiltRemotely(entry: ProjectFunction, deployment: Pick<Deployment, 'build' | 'remoteBuild'>): boolean {
  if (entry.source.type !== 'directory' || entry.source.build === null || deployment.build === 'never') return false;
  return entry.remoteBuild || (deployment.remoteBuild && !entry.localBuild);
}

/**
 * Lets the host build and put a function (specification, `--remote-build`): its sources are sent, what the build printed comes back.
 * Incremental: nothing is sent when the function there came from the same sources and settings.
 */
export async function buildRemotely(entry: ProjectFunction, project: Project, deployment: Deployment): Promise<PutRemotely> {
  const { api, target, namespace, onProgress, onWaiting } = deployment;
  const { fullName: name } = entry;
  const kind = deployment.kindOf(entry);
  const content = sliceContent(entry, kind, project, deployment.buildEnv);
  const former = await api.action(name);
  const formerTriggers = former === null ? [] : deployedTriggers(former.annotations);
  if (deployment.incremental && former !== null && deployedNote(former.annotations, 'slice') === content.digest) {
    return { version: former.version, digest: content.digest, unchanged: true, formerTriggers, bytes: 0 };
  }
  const notes = { slice: content.digest, ...(entry.triggers.length > 0 && { triggers: entry.triggers.map((trigger) => trigger.name) }) };
  const slice = await makeSlice(content, target, namespace, deployerAnnotation(project.dir, content.digest, notes));
  const builder = builderApi(target);
  onProgress(`sending ${name} to be built on the host: ${slice.zip.length} bytes`);
  const sliceName = await builder.upload(`${entry.package}_${entry.name}`, slice.zip);
  const build = builder.build(kind, sliceName, slice.encryptionKey);
  const { transcript, failures } = await toldWhile(build, `building ${name} on the host`, onWaiting);
  if (failures.length > 0) {
    throw new DeployError('build_failed', [`the remote build did not deploy it: ${failures.join('; ')}`, ...transcript].join('\n'));
  }
  for (const line of transcript) onProgress(`${name}: ${line}`);
  const put = await api.action(name);
  if (put === null) throw new DeployError('rejected', 'the host told that it is deployed, and does not have it');
  return { version: put.version, digest: content.digest, unchanged: false, formerTriggers, bytes: slice.zip.length };
}
