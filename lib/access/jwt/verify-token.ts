import { createLocalJWKSet, errors, type JWTPayload, jwtVerify } from 'jose';
import { ToolError } from '../../errors.ts';
import type { Budget } from '../../functions/budget.ts';
import type { JwtSettings } from '../../functions/jwt-settings.ts';
import { issuerKeys } from './keys.ts';

/** By which a token may be signed: with a private key that only its issuer has. */
const algorithms = ['RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512', 'ES256', 'ES384', 'ES512', 'EdDSA', 'Ed25519'];

/** How far the clocks of issuer and function may be apart. */
const clockToleranceS = 10;

/** What a token says, or what is wrong with it, in words that show nothing of it. */
export type Verified = { readonly claims: JWTPayload } | { readonly flaw: string };

/**
 * Verifies a token: signature, issuer, audience, that it is valid by now and not too old, and that it names somebody. A key that is not known is looked for
 * once more at the issuer.
 *
 * @throws ToolError `platform_unavailable` where there are no keys to verify it with, `not_configured` where the one it names is none
 */
export async function verifyToken(token: string, settings: JwtSettings, budget: Budget): Promise<Verified> {
  const { keys, aged } = await issuerKeys(settings.keys, budget);
  const verified = await verifiedWith(keys, token, settings);
  if (verified !== 'unknown key') return verified;
  const anew = aged ? await verifiedWith((await issuerKeys(settings.keys, budget, true)).keys, token, settings) : verified;
  return anew === 'unknown key' ? { flaw: 'it is signed with a key that its issuer does not publish' } : anew;
}

async function verifiedWith(
  keys: Parameters<typeof createLocalJWKSet>[0],
  token: string,
  { issuer, audiences }: JwtSettings,
): Promise<Verified | 'unknown key'> {
  try {
    const { payload } = await jwtVerify(token, createLocalJWKSet(keys), {
      issuer,
      audience: [...audiences],
      algorithms,
      clockTolerance: clockToleranceS,
      requiredClaims: ['exp', 'sub'],
    });
    return { claims: payload };
  } catch (failure) {
    if (failure instanceof errors.JWKSNoMatchingKey) return 'unknown key';
    if (!(failure instanceof errors.JOSEError)) throw unusableKey(failure);
    return { flaw: flawOf(failure) };
  }
}

function flawOf(failure: errors.JOSEError): string {
  if (failure instanceof errors.JWTExpired) return 'it has expired';
  if (failure instanceof errors.JWTClaimValidationFailed) return claimFlaws[failure.claim] ?? 'one of its claims does not hold';
  if (failure instanceof errors.JWKSMultipleMatchingKeys) return 'it does not name its key, and its issuer has several';
  if (failure instanceof errors.JOSEAlgNotAllowed) return 'it is not signed by an algorithm that is taken here';
  if (failure instanceof errors.JWSSignatureVerificationFailed) return 'its signature does not hold';
  return 'it cannot be read';
}

/** What is wrong with a token is told by the library's own errors; anything else is a key that it cannot make use of. */
function unusableKey(cause: unknown): ToolError {
  const reason = cause instanceof Error ? cause.message : String(cause);
  return new ToolError('not_configured', `a key of the issuer (JWT_KEYS) cannot be used: ${reason}; nothing was done`, { cause });
}

const claimFlaws: Readonly<Record<string, string>> = {
  iss: 'it is of another issuer',
  aud: 'it was issued for another server',
  exp: 'it does not say when it expires',
  nbf: 'it is not valid yet',
  sub: 'it does not say whose it is',
};
