import { ToolError } from '../errors.ts';

/** A choice that cannot be read: what it was, what is allowed, and what is nearest. */
export function misspelt(
  field: string,
  text: string,
  expected: string,
  near?: string,
  code: 'invalid_arguments' | 'not_configured' = 'invalid_arguments',
): ToolError {
  const got = JSON.stringify(text.slice(0, 80));
  const problem = { field, got, expected, ...(near && { nearest: near }) };
  const message = `${field}: expected ${expected}, got ${got}${near ? ` (did you mean ${near}?)` : ''}`;
  return new ToolError(code, message, { problems: [problem] });
}
