import { ToolError } from '../../errors.ts';
import { seal, unseal } from '../seal.ts';
import type { Binding } from './binding.ts';

/** How long a person may think it over. */
export const validMs = 10 * 60_000;

/** What a token is handed out for: to come back as an argument, or beside the answer to a form. */
export type Purpose = 'challenge' | 'form';

/** A token for one call of one caller; nobody without the secret can make one. */
export function consentToken(purpose: Purpose, { caller, call }: Binding, secret: string, endsAt: number): string {
  return seal([purpose, caller, call, endsAt], secret);
}

/** What is wrong with a token that was shown for a call; undefined where nothing is. */
export function flawOf(token: string, purpose: Purpose, { caller, call }: Binding, secret: string): Flaw | undefined {
  const content = unseal(token, secret);
  if (!Array.isArray(content) || content[0] !== purpose) return 'unknown';
  if (content[1] !== caller) return 'of another caller';
  if (content[2] !== call) return 'for another call';
  return Number(content[3]) > Date.now() ? undefined : 'late';
}

type Flaw = keyof typeof flawWords;

const flawWords = {
  unknown: 'it was not handed out here, or was changed on its way',
  'of another caller': 'it was handed to another caller',
  'for another call': 'it was handed out for other arguments or another tool',
  late: `more than ${validMs / 60_000} minutes have passed since it was handed out`,
  used: 'it was used before',
} as const;

/** The refusal of a token. */
export function refusedToken(tool: string, flaw: Flaw): ToolError {
  return new ToolError(
    'forbidden',
    `${tool}: Confirm does not hold: ${flawWords[flaw]}; call without it to be asked anew. Nothing was changed`,
  );
}
