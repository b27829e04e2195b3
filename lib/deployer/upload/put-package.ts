import type { Deployment } from '../deployment.ts';
import type { ProjectPackage } from '../project.ts';
import { deployedDigest, deployerAnnotation } from './deployer-annotation.ts';
import { digest } from './digest.ts';
import { wireAnnotations, wireParameters } from './wire-values.ts';

/**
 * Puts a package with its parameters, environment and annotations; the default package is none of its own. Incremental: only when they
 * differ from what the host has.
 */
export async function putPackage(pack: ProjectPackage, { api, projectDir, incremental }: Deployment): Promise<void> {
  if (pack.name === 'default') return;
  const { functions: _, ...own } = pack;
  const packageDigest = digest(own);
  if (incremental) {
    const former = await api.package(pack.name);
    if (former !== null && deployedDigest(former.annotations) === packageDigest) return;
  }
  await api.putPackage(pack.name, {
    parameters: wireParameters(pack.parameters, pack.environment),
    annotations: wireAnnotations({ ...pack.annotations, deployer: deployerAnnotation(projectDir, packageDigest) }),
    publish: pack.shared,
    ...(pack.binding === null ? {} : { binding: pack.binding }),
  });
}
