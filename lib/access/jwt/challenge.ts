import type { JwtSettings } from '../../functions/jwt-settings.ts';

/** What a challenge says beside where the metadata is (RFC 6750, section 3). */
export interface ChallengeWords {
  readonly error?: 'invalid_token' | 'insufficient_scope';
  readonly error_description?: string;
  readonly scope?: string;
}

/** Where the metadata is, behind the address of the function. */
export const metadataPath = '.well-known/oauth-protected-resource';

/** The value of `WWW-Authenticate` for callers with tokens of an issuer (RFC 6750, section 3; RFC 9728, section 5.1). */
export function challengeOf(settings: JwtSettings, words: ChallengeWords = {}): string {
  const parameters = { ...words, resource_metadata: `${functionAddress(settings)}/${metadataPath}` };
  const said = Object.entries(parameters).flatMap(([name, value]) => (value === undefined ? [] : [`${name}="${value}"`]));
  return `Bearer ${said.join(', ')}`;
}

/** What tells a client where to get a token (RFC 9728, section 2). */
export function resourceMetadata({ resource, issuer, scopes }: JwtSettings) {
  return {
    resource,
    authorization_servers: [issuer],
    scopes_supported: scopes.map(({ name }) => name),
    bearer_methods_supported: ['header'],
    resource_name: 'Deckhand',
  };
}

/** The resource may be the address of MCP, or of one of its selections; the metadata is beside them. */
function functionAddress({ resource }: JwtSettings): string {
  const { origin, pathname } = new URL(resource);
  return origin + pathname.replace(/^(.*)\/mcp(\/.*)?$/, '$1').replace(/\/+$/, '');
}
