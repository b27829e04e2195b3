import { NO_NPM, NO_REPOSITORY, NpmError } from './npm-install.ts';

/** What a failure to install wants, by its code: npm's, or that of the system. */
const waysOut: readonly (readonly [codes: readonly string[], wayOut: string])[] = [
  [[NO_NPM], 'put npm on the PATH'],
  [[NO_REPOSITORY], 'let git reach that repository'],
  [['E404', 'ETARGET', 'ENOVERSIONS'], 'have npm ask a registry that has it (npm config get registry tells which it asks)'],
  [['E401', 'E403', 'ENEEDAUTH'], 'have npm sign in to its registry, or ask another (npm config get registry tells which it asks)'],
  [
    [
      ...['ECONNREFUSED', 'ECONNRESET', 'ENOTFOUND', 'EAI_AGAIN', 'ETIMEDOUT', 'ENETUNREACH', 'EHOSTUNREACH'],
      ...['ERR_SOCKET_TIMEOUT', 'EIDLETIMEOUT', 'ENOTCACHED'],
    ],
    'let npm reach its registry (npm config get registry tells which it asks)',
  ],
  [['EACCES', 'EPERM', 'EROFS', 'ENOTDIR', 'EEXIST'], 'name a directory that can be written to in XDG_CACHE_HOME'],
  [['ENOSPC', 'EDQUOT'], 'make room, or name a directory elsewhere in XDG_CACHE_HOME'],
];

/** What to do about a failure to install, in words that go on with `and`; undefined where nothing can be said of it. */
export function wayOut(error: unknown): string | undefined {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  const known = waysOut.find(([codes]) => typeof code === 'string' && codes.includes(code));
  return known?.[1] ?? (error instanceof NpmError ? 'mend what npm complains of' : undefined);
}
