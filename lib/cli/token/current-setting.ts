import { existsSync, readFileSync } from 'node:fs';
import { parseEnv } from 'node:util';
import { ToolError } from '../../errors.ts';
import { type AccessToken, readAccessTokens } from '../../functions/access-tokens.ts';
import { CliError } from '../cli-error.ts';

/**
 * Who may call as things stand: by the environment's ACCESS_TOKENS, or else by that of a settings file; nobody where neither has it.
 *
 * @throws CliError the setting cannot be read
 */
export function currentSetting(file: string): readonly AccessToken[] {
  const text = process.env.ACCESS_TOKENS?.trim() || (existsSync(file) ? parseEnv(readFileSync(file, 'utf8')).ACCESS_TOKENS?.trim() : '');
  return text ? readTokens(text) : [];
}

/** What `readAccessTokens` reads, its refusal told as a user's mistake. */
export function readTokens(text: string): readonly AccessToken[] {
  try {
    return readAccessTokens(text);
  } catch (failure) {
    throw failure instanceof ToolError ? new CliError(failure.message, { cause: failure }) : failure;
  }
}
