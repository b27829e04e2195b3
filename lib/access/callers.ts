import { ToolError } from '../errors.ts';
import type { Grant, Rate } from '../functions/access-tokens.ts';
import type { Budget } from '../functions/budget.ts';
import type { OwnAccount, Settings } from '../functions/settings.ts';
import { challengeOf } from './jwt/challenge.ts';

/** Who calls, what the operator opens to them, and the token that the platform gets to see. */
export interface Caller {
  /** A name out of `ACCESS_TOKENS`, `jwt/` and the subject of a token, or `bearer` where the caller's own token is passed on. */
  readonly name: string;
  readonly platformToken: string;
  /** What the caller showed: it binds what is handed to them to be shown again. Absent where nothing came over the web. */
  readonly bearer?: string;
  /** Who they are whatever they show, where that changes: it binds in place of the bearer. */
  readonly subject?: string;
  /** What is open to them: a tool that any of these opens. Absent: everything. */
  readonly grants?: readonly Grant[];
  readonly rate?: Rate;
}

/**
 * Tells who calls: where the installation has an account of its own, somebody who shows one of its access tokens, or a token of the issuer that it trusts;
 * else whoever shows a bearer, which is then the platform's to judge.
 *
 * @throws ToolError `unauthenticated`; what `jwtCaller` throws
 */
export async function identify(authorization: string | undefined, { own }: Settings, budget: Budget): Promise<Caller> {
  const bearer = bearerOf(authorization);
  if (bearer === undefined) throw unauthenticated(missing, own);
  if (!own) return { name: 'bearer', platformToken: bearer, bearer };
  const caller = own.callers.length > 0 ? callerOf(bearer, own) : undefined;
  if (caller) return caller;
  if (!own.jwt || !isSigned(bearer)) throw unauthenticated(unknown, own);
  const { jwtCaller } = await import('./jwt/jwt-caller.ts');
  return jwtCaller(bearer, own.jwt, own.token, budget);
}

/**
 * Tells which caller of `ACCESS_TOKENS` shows their token.
 *
 * @throws ToolError `unauthenticated`
 */
export function identifyByToken(authorization: string | undefined, own: OwnAccount): Caller {
  const bearer = bearerOf(authorization);
  const caller = bearer === undefined ? undefined : callerOf(bearer, own);
  if (caller) return caller;
  throw new ToolError('unauthenticated', bearer === undefined ? missing : unknown);
}

function callerOf(bearer: string, { callers, token }: OwnAccount): Caller | undefined {
  // Loaded where tokens are compared: the module costs a cold start several milliseconds, and most installations pass bearers on.
  const { createHash, timingSafeEqual } = process.getBuiltinModule('node:crypto');
  const shown = createHash('sha256').update(bearer).digest();
  const caller = callers.find(({ hash }) => timingSafeEqual(hash, shown));
  return caller && { name: caller.name, platformToken: token, bearer, grants: [caller], rate: caller.rate };
}

function bearerOf(authorization: string | undefined): string | undefined {
  return /^Bearer +([\x21-\x7e]+) *$/i.exec(authorization ?? '')?.[1];
}

/** Whether a bearer has the form of a signed token (RFC 7515, section 7.1). */
function isSigned(bearer: string): boolean {
  return /^[\w-]+\.[\w-]+\.[\w-]+$/.test(bearer);
}

const how = 'send the header "Authorization: Bearer <token>"';
const missing = `no bearer token was shown; ${how}`;
const unknown = `the bearer token is not known here; ${how}`;

function unauthenticated(message: string, own: OwnAccount | undefined): ToolError {
  if (!own?.jwt) return new ToolError('unauthenticated', message);
  // RFC 6750, section 3.1: whoever showed nothing is told of no error.
  return new ToolError('unauthenticated', message, {
    challenge: challengeOf(own.jwt, message === missing ? {} : { error: 'invalid_token' }),
  });
}
