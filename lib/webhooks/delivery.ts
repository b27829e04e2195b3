import { deepest, isTooDeep } from '../catalogue/depth.ts';
import { isRecord } from '../catalogue/is-record.ts';
import { ToolError } from '../errors.ts';
import type { LateEvaluate } from './expressions/late-evaluator.ts';
import type { Hook, VerificationKind } from './hook.ts';
import type { ExpressionInput } from './plan.ts';
import type { Shown } from './verify.ts';

/** What was sent to a hook. */
export interface Delivery extends Shown {
  readonly query: URLSearchParams;
}

/** A delivery that was believed, as the hook's expressions see it. */
export interface ReadDelivery extends ExpressionInput {
  /** The id is the sender's; otherwise the body stands for it. */
  readonly named: boolean;
}

/** Headers that are of no use to an expression, and to nobody else's eyes. */
const credentials: ReadonlySet<string> = new Set(['authorization', 'cookie', 'proxy-authorization']);

/**
 * Reads a delivery: its body by its content type, and the id by which its sender knows it again.
 *
 * @throws ToolError `invalid_arguments` for a body that says it is JSON and is not, or is nested too deep, or an expression for the id that fails
 */
export async function readDelivery(hook: Hook, delivery: Delivery, evaluate: LateEvaluate): Promise<ReadDelivery> {
  const headers = Object.fromEntries(Object.entries(delivery.headers).filter(([name]) => !credentials.has(name)));
  const read = { headers, query: Object.fromEntries(delivery.query), body: bodyOf(delivery) };
  const sent = hook.id === undefined ? sentId(hook.verify.kind, read) : text((await evaluate([hook.id], { ...read, id: '' }))[0]);
  return { ...read, id: sent ?? bodyDigest(delivery.bytes), named: sent !== undefined };
}

/** A JSON value, a form's fields, or else the text. Senders that put JSON into a form put it into `payload`. */
function bodyOf({ headers, bytes }: Delivery): unknown {
  const type = headers['content-type']?.toLowerCase() ?? '';
  const content = bytes.toString('utf8');
  if (type.startsWith('application/x-www-form-urlencoded')) {
    const { payload, ...fields } = Object.fromEntries(new URLSearchParams(content));
    return payload === undefined ? fields : parsed(payload);
  }
  return /^\s*[[{]/.test(content) || /[/+]json\b/.test(type) ? parsed(content) : content;
}

function parsed(content: string): unknown {
  const value = jsonIn(content);
  if (isTooDeep(value)) throw new ToolError('invalid_arguments', `the body is nested deeper than ${deepest} levels`);
  return value;
}

function jsonIn(content: string): unknown {
  try {
    return JSON.parse(content);
  } catch (failure) {
    const reason = failure instanceof Error ? failure.message : '';
    throw new ToolError('invalid_arguments', `the body is not JSON: ${reason.slice(0, 100)}`);
  }
}

/** Where each kind of sender puts the id of a delivery, which stays the same when it is sent again. */
function sentId(kind: VerificationKind, { headers, body }: Pick<ExpressionInput, 'headers' | 'body'>): string | undefined {
  const member = (name: string) => (isRecord(body) ? text(body[name]) : undefined);
  switch (kind) {
    case 'github':
      return text(headers['x-github-delivery']);
    case 'stripe':
      return member('id');
    case 'slack':
      return member('event_id') ?? member('trigger_id');
    default:
      return text(headers['webhook-id'] ?? headers['svix-id'] ?? headers['idempotency-key']);
  }
}

/** What stands for the id of a delivery that has none. */
export function bodyDigest(bytes: Buffer): string {
  return `sha256-${process.getBuiltinModule('node:crypto').createHash('sha256').update(bytes).digest('hex').slice(0, 32)}`;
}

/** What is longer is no id. */
const longestId = 200;

function text(value: unknown): string | undefined {
  if (typeof value === 'number') return String(value);
  return typeof value === 'string' && value !== '' && value.length <= longestId ? value : undefined;
}
