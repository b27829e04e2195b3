import { ToolError } from '../../errors.ts';
import type { Budget } from '../../functions/budget.ts';
import type { JwtSettings, ScopeGrant } from '../../functions/jwt-settings.ts';
import type { Caller } from '../callers.ts';
import { challengeOf } from './challenge.ts';
import { verifyToken } from './verify-token.ts';

/**
 * The caller of a token that an issuer signed: its subject, with what its scopes open. The platform gets to see the installation's own token.
 *
 * @throws ToolError `unauthenticated`, `forbidden` for a token with none of the scopes, `platform_unavailable` where it cannot be verified
 */
export async function jwtCaller(bearer: string, settings: JwtSettings, platformToken: string, budget: Budget): Promise<Caller> {
  const verified = await verifyToken(bearer, settings, budget);
  if ('flaw' in verified) throw invalidToken(verified.flaw, settings);
  const { sub, iss, ...claims } = verified.claims;
  // OpenID Connect Core, section 2: at most 255 ASCII characters.
  if (typeof sub !== 'string' || !/^[\x20-\x7e]{1,255}$/.test(sub)) throw invalidToken('its subject cannot be read', settings);
  const held = scopesIn(claims);
  const granted = settings.scopes.filter(({ name }) => held.includes(name));
  if (granted.length === 0) throw withoutScope(settings);
  return { name: `jwt/${sub}`, subject: `${iss} ${sub}`, platformToken, bearer, grants: granted, rate: widest(granted) };
}

/** `scope` as RFC 8693 has it, or `scp` as others do; text with spaces, or a list. */
function scopesIn({ scope, scp }: Readonly<Record<string, unknown>>): readonly string[] {
  return [scope, scp].flatMap((claim) => {
    if (typeof claim === 'string') return claim.split(' ');
    return Array.isArray(claim) ? claim.filter((one) => typeof one === 'string') : [];
  });
}

/** Scopes add up: the rate of several is that of the one that allows most. */
function widest(grants: readonly ScopeGrant[]): Caller['rate'] {
  const rates = grants.map(({ rate }) => rate);
  return rates.reduce((best, rate) => (best && rate && rate.calls / rate.perMs <= best.calls / best.perMs ? best : best && rate));
}

function invalidToken(flaw: string, settings: JwtSettings): ToolError {
  const challenge = challengeOf(settings, { error: 'invalid_token', error_description: flaw });
  return new ToolError('unauthenticated', `the bearer token does not hold: ${flaw}`, { challenge });
}

function withoutScope(settings: JwtSettings): ToolError {
  const [first] = settings.scopes;
  const names = settings.scopes.map(({ name }) => name).join(', ');
  const challenge = challengeOf(settings, { error: 'insufficient_scope', scope: first?.name });
  return new ToolError('forbidden', `the bearer token has none of the scopes that open something here: ${names}`, { challenge });
}
