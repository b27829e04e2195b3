import { dirname } from 'node:path';
import { originOf } from '../../../deployer/api/connection.ts';
import { isPlatformHost } from '../../../deployer/api/triggers-api.ts';
import { CliError } from '../../cli-error.ts';
import { keptToken } from '../../kept-token.ts';
import type { AccountOptions } from '../options.ts';
import { type FoundTarget, findTarget } from './resolve-target.ts';

/** Where namespaces are managed, and the account's token for it. */
export interface Account {
  /** Origin of the platform's API, or of a host that serves the same below `/v2/functions`. */
  readonly origin: string;
  readonly token: string;
}

const PLATFORM = 'https://api.digitalocean.com';

/**
 * Finds the account a command works on: `--api-url` or DIGITALOCEAN_API_URL, else the namespace's host where that is not the platform's,
 * else the platform. The token is `--access-token`, that of the host of this machine, or DIGITALOCEAN_ACCESS_TOKEN; the last never goes to
 * a host of this machine. CliError without a token.
 */
export function resolveAccount(options: AccountOptions): Account {
  const target = findTarget(options);
  const given = options.apiUrl ?? (process.env.DIGITALOCEAN_API_URL || undefined);
  const own = target !== null && !isPlatformHost(target.apihost);
  const origin = originOf(given ?? (own ? target.apihost : PLATFORM));
  const isLocal = given === undefined && target?.source === 'local';
  const token = options.accessToken ?? (isLocal ? localToken(target) : process.env.DIGITALOCEAN_ACCESS_TOKEN || undefined);
  if (token !== undefined) return { origin, token };
  throw new CliError(
    `${origin} wants the token of an account: give --access-token, or set DIGITALOCEAN_ACCESS_TOKEN` +
      (isLocal ? `; the host of this machine has none beside ${target.file}` : ''),
  );
}

/** How the platform's own API is reached, for a deployer that needs it for triggers there: where it is, and the token if there is one. */
export function platformAccess({ accessToken, apiUrl }: AccountOptions): { readonly accessToken?: string; readonly platformUrl?: string } {
  const token = accessToken ?? (process.env.DIGITALOCEAN_ACCESS_TOKEN || process.env.DO_API_KEY || undefined);
  const platformUrl = apiUrl ?? (process.env.DIGITALOCEAN_API_URL || undefined);
  return { ...(token !== undefined && { accessToken: token }), ...(platformUrl !== undefined && { platformUrl: originOf(platformUrl) }) };
}

/** The token that `deckhand start` keeps in its data directory, beside the directory of its host. */
function localToken({ file }: FoundTarget): string | undefined {
  return keptToken(dirname(dirname(file ?? '')));
}
