import type { RequestListener } from 'node:http';

/** What serves the paths below a prefix in the emulator's place, such as `/v2/functions`. */
export type Mounts = Readonly<Record<string, RequestListener>>;

/** Who serves a path, if it is not the emulator itself. */
export function mountedAt(path: string, mounts: Mounts): RequestListener | undefined {
  const prefix = Object.keys(mounts).find((each) => isBelow(path, each));
  return prefix === undefined ? undefined : mounts[prefix];
}

/** Whether a path is a prefix, or below it. */
export function isBelow(path: string, prefix: string): boolean {
  return path === prefix || path.startsWith(`${prefix}/`);
}
