import type { Extension } from './web-answer.ts';

/** Where a request for a web function goes. `path` is what follows the function, as it came. */
export interface WebAddress {
  /** Absent for the host's own: the address does not name it. */
  readonly namespace?: string;
  /** `package/name`, or the bare name in the default package. */
  readonly fullName: string;
  readonly extension: Extension;
  readonly path: string;
  readonly mounted: boolean;
}

/** The part of a function's address that precedes its namespace. */
export const webPrefix = '/api/v1/web/';

const extensions: readonly Extension[] = ['http', 'json', 'html', 'svg', 'text'];

/**
 * Reads `/api/v1/web/<namespace>/<package>/<function>[.ext][/path]`. `'incomplete'` where a segment is missing, `'unknown'` for one that
 * cannot be decoded.
 */
export function parseWebAddress(path: string): WebAddress | 'incomplete' | 'unknown' {
  const [givenNamespace = '', packageName = '', segment = '', ...rest] = path.slice(webPrefix.length).split('/');
  if (givenNamespace === '' || packageName === '' || segment === '') return 'incomplete';
  const decoded = [givenNamespace, packageName, segment].map(decode);
  const [namespace, inPackage, name] = decoded;
  if (namespace === undefined || inPackage === undefined || name === undefined) return 'unknown';
  const dot = name.lastIndexOf('.');
  const extension = extensions.find((known) => known === name.slice(dot + 1));
  const bare = dot > 0 && extension ? name.slice(0, dot) : name;
  return {
    ...(namespace !== '_' && { namespace }),
    fullName: inPackage === 'default' ? bare : `${inPackage}/${bare}`,
    extension: dot > 0 && extension ? extension : 'http',
    path: rest.length === 0 ? '' : `/${rest.join('/')}`,
    mounted: false,
  };
}

/** Finds the function that is mounted at the longest prefix of a path, if any. */
export function mountedAddress(path: string, mounts: Readonly<Record<string, string>>): WebAddress | undefined {
  const prefixes = Object.keys(mounts).sort((one, other) => other.length - one.length);
  for (const prefix of prefixes) {
    const base = prefix.replace(/\/$/, '');
    const fullName = mounts[prefix];
    if (fullName === undefined || (path !== base && !path.startsWith(`${base}/`))) continue;
    const remainder = path.slice(base.length);
    return { fullName, extension: 'http', path: base === '' && remainder === '/' ? '' : remainder, mounted: true };
  }
  return undefined;
}

function decode(segment: string): string | undefined {
  try {
    return decodeURIComponent(segment);
  } catch {
    return undefined;
  }
}
