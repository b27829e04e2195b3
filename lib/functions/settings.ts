import { commaSeparated } from '../catalogue/comma-separated.ts';
import { nearest } from '../catalogue/nearest.ts';
import { toolsetNames } from '../catalogue/toolset-names.ts';
import { ToolError } from '../errors.ts';
import { type AccessToken, readAccessTokens } from './access-tokens.ts';

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
  /** Origins of web pages that may call, beside pages of this machine when served from it. */
  readonly allowedOrigins: readonly string[];
}

/** An account that the callers of an installation share, and who they are. */
export interface OwnAccount {
  readonly token: string;
  readonly callers: readonly AccessToken[];
}

type Environment = Readonly<Record<string, string | undefined>>;

const publicApi = 'https://api.digitalocean.com';

/**
 * Reads the settings. What is unset or empty has its default.
 *
 * @throws ToolError `not_configured`, naming the variable, what it holds and what it may hold.
 */
export function readSettings(environment: Environment): Settings {
  const value = (name: string) => environment[name]?.trim() || undefined;
  refuseUnserved(value);
  const own = ownAccount(value('PLATFORM_API_TOKEN'), value('ACCESS_TOKENS'));
  return {
    platformUrl: platformUrl(value('PLATFORM_API_URL') ?? publicApi),
    ...(own && { own }),
    dispatch: oneOf('DISPATCH', value('DISPATCH') ?? 'inline', ['inline', 'forward']),
    readOnly: oneOf('READ_ONLY', value('READ_ONLY')?.toLowerCase() ?? 'false', ['true', 'false']) === 'true',
    toolsets: toolsets(value('TOOLSETS')),
    allowedOrigins: commaSeparated(value('ALLOWED_ORIGINS') ?? '').map(origin),
  };
}

/** One of the two without the other is of no use, or of use to everybody. */
function ownAccount(token: string | undefined, callers: string | undefined): OwnAccount | undefined {
  if (token === undefined && callers === undefined) return undefined;
  if (token === undefined)
    throw new ToolError(
      'not_configured',
      'ACCESS_TOKENS is set and PLATFORM_API_TOKEN is not: there is no token to call the platform with; set it',
    );
  if (callers !== undefined) return { token, callers: readAccessTokens(callers) };
  throw new ToolError(
    'not_configured',
    'PLATFORM_API_TOKEN is set and ACCESS_TOKENS is not: anybody could use that token, so nothing is served; set ACCESS_TOKENS=name=sha256:<hex of the SHA-256 of a token you hand out>',
  );
}

/** A setting that promises protection is never passed over in silence: what this version does not enforce, it refuses to be given. */
function refuseUnserved(value: (name: string) => string | undefined): void {
  const confirm = value('CONFIRM');
  if (confirm !== undefined && confirm !== 'off') {
    throw unusable('CONFIRM', confirm, '"off", or nothing: this version does not ask for confirmations');
  }
  for (const name of ['CONFIRM_FALLBACK', 'SEAL_KEY']) {
    if (value(name) !== undefined)
      throw new ToolError('not_configured', `the setting ${name} has no use: this version does not ask for confirmations; unset it`);
  }
}

function platformUrl(text: string): string {
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
