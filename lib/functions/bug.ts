import { ToolError } from '../errors.ts';
import type { Context } from './context.ts';

/** What a caller is told of a failure. A ToolError is told as it is; anything else is a bug: its stack goes to the function's log. */
export function told(failure: unknown, context: Context): ToolError {
  if (failure instanceof ToolError) return failure;
  const stack = failure instanceof Error ? (failure.stack ?? failure.message) : String(failure);
  process.stderr.write(`${stack}\n`);
  return new ToolError('internal_error', `this is a bug; activation ${context.activationId ?? 'unknown'} has the details in its log`, {
    cause: failure,
  });
}
