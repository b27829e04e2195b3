import { isRecord } from '../../catalogue/is-record.ts';

/** What most hooks say, as data: members of members, what is written out, and what compares and joins them. It needs no engine, and no bounds: it ends. */
export type Plain =
  | { readonly path: readonly string[] }
  | { readonly value: Scalar }
  | { readonly op: PlainOperator; readonly of: readonly [Plain, Plain] }
  /** The effective boolean value, as `$boolean` has it. */
  | { readonly boolean: Plain };

export type PlainOperator = '=' | '!=' | 'and' | 'or' | '&';

type Scalar = string | number | boolean | null;

/** The value of an expression; undefined where it finds nothing. */
export interface Found {
  readonly value: Scalar | undefined;
}

/**
 * The value of a plain expression over an input, the same that JSONata finds; undefined where it comes upon a list, an object or a number too large,
 * or has to write a number as text: that is the engine's to tell.
 */
export function plainValue(expression: Plain, input: unknown): Found | undefined {
  if ('value' in expression) return expression;
  if ('path' in expression) return memberOf(input, expression.path);
  if ('boolean' in expression) return booleanOf(plainValue(expression.boolean, input));
  const { op, of } = expression;
  const left = plainValue(of[0], input);
  if (!left) return undefined;
  if ((op === 'and' || op === 'or') && isTrue(left) === (op === 'or')) return { value: isTrue(left) };
  const right = plainValue(of[1], input);
  if (!right) return undefined;
  if (op === 'and' || op === 'or') return { value: isTrue(right) };
  return op === '&' ? joined(left, right) : { value: compared(left, right, op) };
}

function memberOf(input: unknown, path: readonly string[]): Found | undefined {
  let found = input;
  for (const name of path) {
    found = isRecord(found) && Object.hasOwn(found, name) ? found[name] : undefined;
    if (Array.isArray(found)) return undefined;
  }
  if (found === undefined || found === null || typeof found === 'string' || typeof found === 'boolean') return { value: found };
  // JSON has larger numbers than there are here.
  return typeof found === 'number' && Number.isFinite(found) ? { value: found } : undefined;
}

function booleanOf(found: Found | undefined): Found | undefined {
  return found?.value === undefined ? found : { value: isTrue(found) };
}

/** What does not exist counts as false. */
function isTrue({ value }: Found): boolean {
  return Boolean(value);
}

/** What does not exist is neither equal to anything nor different from it. */
function compared({ value: left }: Found, { value: right }: Found, op: '=' | '!='): boolean {
  return left !== undefined && right !== undefined && (left === right) === (op === '=');
}

/** How a number is written is the engine's to tell. */
function joined({ value: left = '' }: Found, { value: right = '' }: Found): Found | undefined {
  return typeof left === 'number' || typeof right === 'number' ? undefined : { value: `${left}${right}` };
}
