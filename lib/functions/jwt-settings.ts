import { commaSeparated } from '../catalogue/comma-separated.ts';
import { isRecord } from '../catalogue/is-record.ts';
import { ToolError } from '../errors.ts';
import { type Grant, readGrant } from './access-tokens.ts';

/** Whose tokens let callers in, beside those of `ACCESS_TOKENS`. */
export interface JwtSettings {
  /** As tokens and metadata name it. */
  readonly issuer: string;
  /** The address of this server, as its callers have it: the resource that tokens are issued for (RFC 9728, section 2). */
  readonly resource: string;
  /** What a token must be for: the resource, or one of the further names that the issuer has for it. */
  readonly audiences: readonly string[];
  readonly keys: JwtKeys;
  /** What tokens may be allowed, in the operator's order. */
  readonly scopes: readonly ScopeGrant[];
}

/** Where the issuer publishes its keys, or the keys themselves, as JSON (RFC 7517, section 5). */
export type JwtKeys = { readonly url: string } | { readonly jwks: string };

/** A scope of tokens, and what it opens. */
export interface ScopeGrant extends Grant {
  readonly name: string;
}

const settingNames = ['JWT_AUDIENCE', 'JWT_KEYS', 'JWT_SCOPES'] as const;

const usualScopes = 'deckhand:read;readonly, deckhand:write';

/**
 * Reads `JWT_ISSUER`, `JWT_AUDIENCE`, `JWT_KEYS` and `JWT_SCOPES`; undefined where none is set.
 *
 * @throws ToolError `not_configured`. Keys are never shown: they may be private by mistake.
 */
export function readJwtSettings(value: (name: string) => string | undefined): JwtSettings | undefined {
  const issuer = value('JWT_ISSUER');
  if (issuer === undefined) {
    const stray = settingNames.find((name) => value(name) !== undefined);
    if (stray === undefined) return undefined;
    throw unusable(`the setting ${stray} is set and JWT_ISSUER is not: set the issuer whose tokens let callers in, or neither`);
  }
  const missing = settingNames.find((name) => name !== 'JWT_SCOPES' && value(name) === undefined);
  if (missing !== undefined) throw unusable(`the setting JWT_ISSUER is set and ${missing} is not: no token could be verified; set it`);
  const audiences = commaSeparated(value('JWT_AUDIENCE') ?? '');
  return {
    issuer: secureAddress('JWT_ISSUER', issuer, "the issuer's address as its tokens have it, such as https://login.example.com"),
    resource: secureAddress(
      'JWT_AUDIENCE',
      audiences[0] ?? '',
      'at first the address of this server as its callers have it, such as https://tools.example.com/mcp',
    ),
    audiences,
    keys: readKeys(value('JWT_KEYS') ?? ''),
    scopes: readScopes(value('JWT_SCOPES') ?? usualScopes),
  };
}

/** Over http keys and addresses could be exchanged on the way; on this machine there is no way. */
function secureAddress(name: string, text: string, allowed: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  const local = url?.protocol === 'http:' && /^(localhost|\[::1\]|127(\.\d+){3})$/.test(url.hostname);
  const plain = !text.includes('@') && url?.search === '' && url.hash === '';
  if (plain && (url.protocol === 'https:' || local)) return text;
  throw unusable(`the setting ${name} cannot be used: it takes ${allowed}; over http on this machine alone, without query or password`);
}

function readKeys(text: string): JwtKeys {
  if (!text.startsWith('{')) {
    return {
      url: secureAddress('JWT_KEYS', text, 'the address of the issuer\'s keys (its jwks_uri), or the keys as JSON, {"keys": [...]}'),
    };
  }
  if (publicKeysIn(text)) return { jwks: text };
  throw unusable('the setting JWT_KEYS begins as JSON and is not {"keys": [...]} with public RSA, EC or OKP keys alone (RFC 7517)');
}

function publicKeysIn(text: string): boolean {
  const { keys } = parsed(text);
  const isPublic = (key: unknown) => isRecord(key) && ['RSA', 'EC', 'OKP'].includes(String(key.kty)) && !('d' in key);
  return Array.isArray(keys) && keys.length > 0 && keys.every(isPublic);
}

function parsed(text: string): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(text);
    return isRecord(value) ? value : {};
  } catch {
    return {};
  }
}

/** Reads `deckhand:read;readonly, deckhand:write`: scopes between commas, with the options that entries of `ACCESS_TOKENS` have. */
function readScopes(text: string): readonly ScopeGrant[] {
  const scopes = text.split(',').map((entry, index) => {
    const [name = '', ...options] = entry.split(';').map((part) => part.trim());
    const where = `entry ${index + 1} of the setting JWT_SCOPES`;
    // RFC 6749, section 3.3, without what separates here.
    if (!/^[\x21\x23-\x2b\x2d-\x3a\x3c-\x5b\x5d-\x7e]{1,100}$/.test(name)) throw unusable(`${where} is not <scope>[;option ...]`);
    return { name, ...readGrant(options, where) };
  });
  const twice = scopes.find(({ name }, index) => scopes.findIndex((other) => other.name === name) !== index);
  if (twice) throw unusable(`the setting JWT_SCOPES names ${twice.name} twice`);
  return scopes;
}

function unusable(message: string): ToolError {
  return new ToolError('not_configured', message);
}
