import { commaSeparated } from '../catalogue/comma-separated.ts';
import { nearest } from '../catalogue/nearest.ts';
import { toolsetNames } from '../catalogue/toolset-names.ts';
import { isBearerToken } from '../client/bearer-token.ts';
import { ToolError } from '../errors.ts';
import { type AccessToken, readAccessTokens } from './access-tokens.ts';
import { type JwtSettings, readJwtSettings } from './jwt-settings.ts';

/** How an installation is set up; read from the function's environment. */
export interface Settings {
  /** Base address of the platform API, without a slash at its end. */
  readonly platformUrl: string;
  /** The installation's own account; absent: the caller's bearer is passed on. */
  readonly own?: OwnAccount;
  /** Where a call runs: in this process, or in the function of its domain. */
  readonly dispatch: 'inline' | 'forward';
  readonly readOnly: boolean;
  /** The toolsets this installation offers; absent: all that were deployed. */
  readonly toolsets?: readonly string[];
  /** Which calls of a model need a person's consent. */
  readonly confirm: 'destructive' | 'writes' | 'off';
  /** What becomes of such a call where the client cannot ask its user. */
  readonly confirmFallback: 'challenge' | 'refuse' | 'allow';
  /** What seals that which is handed out to come back; absent: a key out of the caller's own token. */
  readonly sealKey?: string;
  /** Where the instances keep what they must agree on; absent: each is alone. */
  readonly kvUrl?: string;
  /** Origins of web pages that may call, beside pages of this machine when served from it. */
  readonly allowedOrigins: readonly string[];
}

/** An account that the callers of an installation share, and who they are. */
export interface OwnAccount {
  /** Empty in a router that hands every call on. */
  readonly token: string;
  readonly callers: readonly AccessToken[];
  /** Callers come with tokens of this issuer too. */
  readonly jwt?: JwtSettings;
}

type Environment = Readonly<Record<string, string | undefined>>;

const publicApi = 'https://api.digitalocean.com';

/**
 * Reads the settings. What is unset or empty has its default.
 *
 * @param router the function is the router, which with `DISPATCH=forward` calls no platform and needs no token for it
 * @throws ToolError `not_configured`, naming the variable, what it holds and what it may hold.
 */
export function readSettings(environment: Environment, { router = false }: { readonly router?: boolean } = {}): Settings {
  const value = (name: string) => environment[name]?.trim() || undefined;
  const dispatch = oneOf('DISPATCH', value('DISPATCH') ?? 'inline', ['inline', 'forward']);
  const jwt = readJwtSettings(value);
  const own = ownAccount(
    platformToken(value('PLATFORM_API_TOKEN')),
    { tokens: value('ACCESS_TOKENS'), jwt },
    router && dispatch === 'forward',
  );
  return {
    platformUrl: platformUrl(value('PLATFORM_API_URL') ?? publicApi),
    ...(own && { own }),
    dispatch,
    readOnly: oneOf('READ_ONLY', value('READ_ONLY')?.toLowerCase() ?? 'false', ['true', 'false']) === 'true',
    toolsets: toolsets(value('TOOLSETS')),
    confirm: oneOf('CONFIRM', value('CONFIRM') ?? 'destructive', ['destructive', 'writes', 'off']),
    confirmFallback: oneOf('CONFIRM_FALLBACK', value('CONFIRM_FALLBACK') ?? 'challenge', ['challenge', 'refuse', 'allow']),
    sealKey: sealKey(value('SEAL_KEY')),
    kvUrl: kvUrl(value('KV_URL')),
    allowedOrigins: commaSeparated(value('ALLOWED_ORIGINS') ?? '').map(origin),
  };
}

/** An account without callers is of use to everybody, callers without one are of no use. */
function ownAccount(
  token: string | undefined,
  { tokens, jwt }: { readonly tokens?: string; readonly jwt?: JwtSettings },
  handsOn: boolean,
): OwnAccount | undefined {
  const callers = tokens === undefined ? [] : readAccessTokens(tokens);
  const own = { callers, ...(jwt && { jwt }) };
  const hasCallers = tokens !== undefined || jwt !== undefined;
  if (!hasCallers && token === undefined) return undefined;
  if (!hasCallers) {
    throw new ToolError(
      'not_configured',
      'PLATFORM_API_TOKEN is set and ACCESS_TOKENS is not: anybody could use that token, so nothing is served; `deckhand token add <name>` prints a token to hand out and the setting ACCESS_TOKENS that lets it in; or set JWT_ISSUER',
    );
  }
  if (token === undefined && !handsOn) {
    const set = tokens === undefined ? 'JWT_ISSUER' : 'ACCESS_TOKENS';
    throw new ToolError(
      'not_configured',
      `${set} is set and PLATFORM_API_TOKEN is not: there is no token to call the platform with; set it`,
    );
  }
  return { token: token ?? '', ...own };
}

/** It is not shown: what is wrong in it may have been pasted along with a token. */
function platformToken(text: string | undefined): string | undefined {
  if (text === undefined || isBearerToken(text)) return text;
  throw new ToolError(
    'not_configured',
    'the setting PLATFORM_API_TOKEN holds characters that no token can be sent with; it takes visible ASCII characters in one line, without spaces',
  );
}

/** A short key can be guessed; it is not shown, since it may be a key all the same. */
function sealKey(text: string | undefined): string | undefined {
  const leastLength = 32;
  if (text === undefined || text.length >= leastLength) return text;
  throw new ToolError(
    'not_configured',
    `the setting SEAL_KEY has ${text.length} characters; it takes ${leastLength} or more, such as those of \`openssl rand -hex 32\``,
  );
}

/** An address that cannot be read is not shown: it may hold a password. */
function kvUrl(text: string | undefined): string | undefined {
  if (text === undefined || (/^(rediss?:\/\/[^/]|file:\/\/\/)/.test(text) && URL.canParse(text))) return text;
  throw new ToolError('not_configured', 'the setting KV_URL is none of redis://host:port, rediss://host:port and file:///path/of/a/file');
}

function platformUrl(text: string): string {
  // Not shown: whoever asks is told of a setting that cannot be used, before they have said who they are.
  if (text.includes('@'))
    throw new ToolError(
      'not_configured',
      'the setting PLATFORM_API_URL holds a name or a password; it takes an address without them, such as https://api.digitalocean.com',
    );
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url && (url.protocol === 'https:' || url.protocol === 'http:') && !url.search && !url.hash) return text.replace(/\/+$/, '');
  throw unusable('PLATFORM_API_URL', text, 'an http or https address without query, such as https://api.digitalocean.com');
}

function origin(text: string): string {
  const parsed = URL.canParse(text) ? new URL(text).origin : 'null';
  if (parsed !== 'null') return parsed;
  throw unusable('ALLOWED_ORIGINS', text, 'origins separated by commas, such as https://app.example.com');
}

function toolsets(text: string | undefined): readonly string[] | undefined {
  const known: readonly string[] = toolsetNames;
  const chosen = text === undefined ? undefined : names(text);
  const unknown = chosen?.find((name) => !known.includes(name));
  if (unknown === undefined) return chosen;
  const near = nearest(unknown, known);
  throw unusable('TOOLSETS', unknown, `any of ${known.join(', ')}${near ? ` (did you mean ${near}?)` : ''}`);
}

/** Names between commas, or between plus signs where commas separate something else. */
function names(text: string): readonly string[] {
  return commaSeparated(text.replaceAll('+', ','));
}

function oneOf<const Value extends string>(name: string, text: string, allowed: readonly Value[]): Value {
  const found = allowed.find((value) => value === text);
  if (found !== undefined) return found;
  throw unusable(name, text, `one of ${allowed.join(', ')}`);
}

function unusable(name: string, text: string, allowed: string): ToolError {
  return new ToolError('not_configured', `the setting ${name} is ${JSON.stringify(text)}; it may be ${allowed}`);
}
