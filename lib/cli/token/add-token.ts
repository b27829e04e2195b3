import { createHash, randomBytes } from 'node:crypto';
import { type AccessToken, accessTokenText, readRate } from '../../functions/access-tokens.ts';
import { CliError } from '../cli-error.ts';
import { readTokens } from './current-setting.ts';

/** What a caller may do, as the command line says it. */
export interface TokenOptions {
  readonly toolsets?: string;
  readonly tools?: string;
  readonly readOnly: boolean;
  readonly rate?: string;
}

/** A new token, and the setting that lets it in beside those that were let in before. */
export interface NewToken {
  readonly token: string;
  readonly setting: string;
}

/**
 * Makes a token of 192 random bits; only its SHA-256 goes into the setting.
 *
 * @throws CliError an option that cannot be read, a name that is taken
 */
export function addToken(name: string, { toolsets, tools, readOnly, rate }: TokenOptions, present: readonly AccessToken[]): NewToken {
  if (!/^[A-Za-z0-9._-]{1,64}$/.test(name))
    throw new CliError(`a caller's name is 1 to 64 letters, digits and . _ -, got ${JSON.stringify(name)}`);
  if (present.some((other) => other.name === name))
    throw new CliError(`${name} is in ACCESS_TOKENS already; take that entry out first, or choose another name`);
  const perUnit = rate === undefined ? undefined : readRate(rate);
  if (rate !== undefined && !perUnit) throw new CliError(`--rate ${rate}: a rate is calls per s, m or h from 1 to 999999, such as 60/m`);
  const token = `dh_${randomBytes(24).toString('hex')}`;
  const entry = accessTokenText({
    name,
    hash: createHash('sha256').update(token).digest(),
    readOnly,
    ...(toolsets !== undefined && { toolsets: toolsets.split(/[,+]/) }),
    ...(tools !== undefined && { tools: tools.split(/[,+]/) }),
    ...(perUnit && { rate: perUnit }),
  });
  const setting = [...present.map(accessTokenText), entry].join(', ');
  // What is printed is what the functions will read.
  readTokens(setting);
  return { token, setting };
}
