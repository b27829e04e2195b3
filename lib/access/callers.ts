import { ToolError } from '../errors.ts';
import type { AccessToken } from '../functions/access-tokens.ts';
import type { Settings } from '../functions/settings.ts';

/** Who calls, what the operator caps for them, and the token that the platform gets to see. */
export interface Caller {
  /** A name out of `ACCESS_TOKENS`, or `bearer` where the caller's own token is passed on. */
  readonly name: string;
  readonly platformToken: string;
  /** What the caller showed: it binds what is handed to them to be shown again. Absent where nothing came over the web. */
  readonly bearer?: string;
  readonly caps?: Pick<AccessToken, 'toolsets' | 'tools' | 'readOnly' | 'rate'>;
}

/**
 * Tells who calls: where the installation has an account of its own, somebody who shows one of its access tokens; else whoever shows a bearer, which is
 * then the platform's to judge.
 *
 * @throws ToolError `unauthenticated`
 */
export function identify(authorization: string | undefined, { own }: Settings): Caller {
  const bearer = bearerOf(authorization);
  if (bearer === undefined) throw unauthenticated(true);
  if (!own) return { name: 'bearer', platformToken: bearer, bearer };
  // Loaded where tokens are compared: the module costs a cold start several milliseconds, and most installations pass bearers on.
  const { createHash, timingSafeEqual } = process.getBuiltinModule('node:crypto');
  const shown = createHash('sha256').update(bearer).digest();
  const caller = own.callers.find(({ hash }) => timingSafeEqual(hash, shown));
  if (!caller) throw unauthenticated(false);
  return { name: caller.name, platformToken: own.token, bearer, caps: caller };
}

function bearerOf(authorization: string | undefined): string | undefined {
  return /^Bearer +([\x21-\x7e]+) *$/i.exec(authorization ?? '')?.[1];
}

function unauthenticated(missing: boolean): ToolError {
  const what = missing ? 'no bearer token was shown' : 'the bearer token is not known here';
  return new ToolError('unauthenticated', `${what}; send the header "Authorization: Bearer <token>"`);
}
