import type { Deployment } from '../deployment.ts';
import type { Project } from '../project.ts';
import { isBuiltRemotely } from '../remote/build-remotely.ts';
import { buildStep } from './build-step.ts';

/** Builds the root `lib/` where it has a build and a directory is deployed from here (platform reference, what lib/ means). */
export async function buildLib(project: Project, deployment: Deployment): Promise<void> {
  const { lib } = project;
  const functions = project.packages.flatMap((pack) => pack.functions);
  const isNeeded = functions.some((entry) => entry.source.type === 'directory' && !isBuiltRemotely(entry, deployment));
  if (lib !== null && deployment.build === 'always' && isNeeded) await buildStep(lib, 'lib', deployment);
}
