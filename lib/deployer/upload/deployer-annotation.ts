import { userInfo } from 'node:os';
import type { JsonObject } from '../project.ts';

/**
 * The annotation that says who deployed what from where; `digest` is what an incremental deployment compares (platform reference, REST rows
 * 5 and 9).
 */
export function deployerAnnotation(projectPath: string, digest: string, more: JsonObject = {}): JsonObject {
  return { user: userName(), projectPath, digest, ...more };
}

/** The digest of the deployment that an entity came from, or null. */
export function deployedDigest(annotations: ReadonlyMap<string, unknown>): string | null {
  const annotation = annotations.get('deployer');
  if (typeof annotation !== 'object' || annotation === null || !('digest' in annotation)) return null;
  return typeof annotation.digest === 'string' ? annotation.digest : null;
}

/** The triggers that the deployment before made for a function, as its annotation keeps them. */
export function deployedTriggers(annotations: ReadonlyMap<string, unknown>): readonly string[] {
  const annotation = annotations.get('deployer');
  if (typeof annotation !== 'object' || annotation === null || !('triggers' in annotation)) return [];
  return Array.isArray(annotation.triggers) ? annotation.triggers.filter((name) => typeof name === 'string') : [];
}

function userName(): string {
  try {
    return userInfo().username;
  } catch {
    // A process in a container may run as a user that has no name.
    return 'unknown';
  }
}
