import { ToolError } from '../errors.ts';

/** Somebody who may call, with the SHA-256 of the token they show. */
export interface AccessToken {
  readonly name: string;
  readonly hash: Buffer;
}

/**
 * Reads `name=sha256:<hex>`, separated by commas.
 *
 * @throws ToolError `not_configured`. An entry that cannot be read is named by its place alone: a token pasted by mistake must not be told to callers.
 */
export function readAccessTokens(text: string): readonly AccessToken[] {
  return text.split(',').map((part, index) => {
    const match = /^\s*([A-Za-z0-9._-]+)=sha256:([0-9a-fA-F]{64})\s*$/.exec(part);
    if (match?.[1] && match[2]) return { name: match[1], hash: Buffer.from(match[2], 'hex') };
    throw new ToolError('not_configured', `entry ${index + 1} of the setting ACCESS_TOKENS is not name=sha256:<64 hex digits>`);
  });
}
