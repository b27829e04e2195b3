import { ToolError } from '../errors.ts';

/** How an installation is set up; read from the function's environment. */
export interface Settings {
  /** Base address of the platform API, without a slash at its end. */
  readonly platformUrl: string;
  /** The installation's own token; absent: the caller's bearer is passed on. */
  readonly platformToken?: string;
  /** Who may call, as `ACCESS_TOKENS` has it. */
  readonly accessTokens?: string;
  /** Where a call runs: in this process, or in the function of its domain. */
  readonly dispatch: 'inline' | 'forward';
  readonly readOnly: boolean;
  /** The toolsets this installation offers; absent: all that were deployed. */
  readonly toolsets?: readonly string[];
  /** Origins of web pages that may call, beside pages of this machine when served from it. */
  readonly allowedOrigins: readonly string[];
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
  return {
    platformUrl: platformUrl(value('PLATFORM_API_URL') ?? publicApi),
    platformToken: value('PLATFORM_API_TOKEN'),
    accessTokens: value('ACCESS_TOKENS'),
    dispatch: oneOf('DISPATCH', value('DISPATCH') ?? 'inline', ['inline', 'forward']),
    readOnly: oneOf('READ_ONLY', value('READ_ONLY')?.toLowerCase() ?? 'false', ['true', 'false']) === 'true',
    toolsets: names(value('TOOLSETS')),
    allowedOrigins: (names(value('ALLOWED_ORIGINS')) ?? []).map(origin),
  };
}

/** A setting that promises protection is never passed over in silence: what this version does not enforce, it refuses to be given. */
function refuseUnserved(value: (name: string) => string | undefined): void {
  const confirm = value('CONFIRM');
  if (confirm !== undefined && confirm !== 'off') {
    throw unusable('CONFIRM', confirm, '"off", or nothing: this version does not ask for confirmations');
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

function names(text: string | undefined): readonly string[] | undefined {
  return text
    ?.split(/[,+]/)
    .map((name) => name.trim())
    .filter((name) => name !== '');
}

function oneOf<const Value extends string>(name: string, text: string, allowed: readonly Value[]): Value {
  const found = allowed.find((value) => value === text);
  if (found !== undefined) return found;
  throw unusable(name, text, `one of ${allowed.join(', ')}`);
}

function unusable(name: string, text: string, allowed: string): ToolError {
  return new ToolError('not_configured', `the setting ${name} is ${JSON.stringify(text)}; it may be ${allowed}`);
}
