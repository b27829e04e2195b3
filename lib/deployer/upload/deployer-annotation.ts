import { userInfo } from 'node:os';
import { field } from '../api/connection.ts';
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
  return deployedNote(annotations, 'digest');
}

/** What the deployment that an entity came from wrote under a name, or null. */
export function deployedNote(annotations: ReadonlyMap<string, unknown>, name: string): string | null {
  const note = field(annotations.get('deployer'), name);
  return typeof note === 'string' ? note : null;
}

/** The triggers that the deployment before made for a function, as its annotation keeps them. */
export function deployedTriggers(annotations: ReadonlyMap<string, unknown>): readonly string[] {
  const names = field(annotations.get('deployer'), 'triggers');
  return Array.isArray(names) ? names.filter((name) => typeof name === 'string') : [];
}

function userName(): string {
  try {
    return userInfo().username;
  } catch {
    // A process in a container may run as a user that has no name.
    return 'unknown';
  }
}
