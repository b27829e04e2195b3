import { ToolError } from '../errors.ts';
import type { Settings } from '../functions/settings.ts';

/** Who calls, and the token that the platform gets to see for it. */
export interface Caller {
  /** A name out of `ACCESS_TOKENS`, or `bearer` where the caller's own token is passed on. */
  readonly name: string;
  readonly platformToken: string;
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
  if (!own) return { name: 'bearer', platformToken: bearer };
  // Loaded where tokens are compared: the module costs a cold start several milliseconds, and most installations pass bearers on.
  const { createHash, timingSafeEqual } = process.getBuiltinModule('node:crypto');
  const shown = createHash('sha256').update(bearer).digest();
  const caller = own.callers.find(({ hash }) => timingSafeEqual(hash, shown));
  if (!caller) throw unauthenticated(false);
  return { name: caller.name, platformToken: own.token };
}

function bearerOf(authorization: string | undefined): string | undefined {
  return /^Bearer +([\x21-\x7e]+) *$/i.exec(authorization ?? '')?.[1];
}

function unauthenticated(missing: boolean): ToolError {
  const what = missing ? 'no bearer token was shown' : 'the bearer token is not known here';
  return new ToolError('unauthenticated', `${what}; send the header "Authorization: Bearer <token>"`);
}
