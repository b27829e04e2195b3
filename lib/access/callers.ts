import { ToolError } from '../errors.ts';
import type { Settings } from '../functions/settings.ts';

/** Who calls, and the token that the platform gets to see for it. */
export interface Caller {
  /** A name out of `ACCESS_TOKENS`, or `bearer` where the caller's own token is passed on. */
  readonly name: string;
  readonly platformToken: string;
}

/**
 * Tells who calls.
 *
 * With `ACCESS_TOKENS` a caller shows one of them, and the installation's own token goes to the platform (or, where there is none, nothing is
 * served). Without it the caller's bearer is the platform's token and is passed on. A platform token that anybody could use is never served.
 *
 * @throws ToolError `unauthenticated`, or `not_configured` with what would mend it.
 */
export function identify(authorization: string | undefined, settings: Settings): Caller {
  const bearer = bearerOf(authorization);
  if (settings.accessTokens === undefined) return passedOn(bearer, settings);
  const callers = readAccessTokens(settings.accessTokens);
  if (settings.platformToken === undefined) {
    throw new ToolError(
      'not_configured',
      'ACCESS_TOKENS is set and PLATFORM_API_TOKEN is not: there is no token to call the platform with; set it',
    );
  }
  // Loaded where tokens are compared: the module costs a cold start several milliseconds, and most installations pass bearers on.
  const { createHash, timingSafeEqual } = process.getBuiltinModule('node:crypto');
  const shown = bearer === undefined ? undefined : createHash('sha256').update(bearer).digest();
  const name = shown && callers.find((caller) => timingSafeEqual(caller.hash, shown))?.name;
  if (name === undefined) throw unauthenticated(bearer === undefined);
  return { name, platformToken: settings.platformToken };
}

function passedOn(bearer: string | undefined, settings: Settings): Caller {
  if (settings.platformToken !== undefined) {
    throw new ToolError(
      'not_configured',
      'PLATFORM_API_TOKEN is set and ACCESS_TOKENS is not: anybody could use that token, so nothing is served; set ACCESS_TOKENS=name=sha256:<hex of the SHA-256 of a token you hand out>',
    );
  }
  if (bearer === undefined) throw unauthenticated(true);
  return { name: 'bearer', platformToken: bearer };
}

interface KnownCaller {
  readonly name: string;
  readonly hash: Buffer;
}

/** `name=sha256:<hex>`, separated by commas. */
function readAccessTokens(text: string): readonly KnownCaller[] {
  return text.split(',').map((part) => {
    const match = /^\s*([A-Za-z0-9._-]+)=sha256:([0-9a-fA-F]{64})\s*$/.exec(part);
    if (match?.[1] && match[2]) return { name: match[1], hash: Buffer.from(match[2], 'hex') };
    // The entry is not repeated whole: a token pasted by mistake would end in a log.
    const name = part.split('=')[0]?.trim().slice(0, 40);
    throw new ToolError(
      'not_configured',
      `the setting ACCESS_TOKENS has an entry ${JSON.stringify(name)} that is not name=sha256:<64 hex digits>`,
    );
  });
}

function bearerOf(authorization: string | undefined): string | undefined {
  return /^Bearer +([\x21-\x7e]+) *$/i.exec(authorization ?? '')?.[1];
}

function unauthenticated(missing: boolean): ToolError {
  const what = missing ? 'no bearer token was shown' : 'the bearer token is not known here';
  return new ToolError('unauthenticated', `${what}; send the header "Authorization: Bearer <token>"`);
}
