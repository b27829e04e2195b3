import { isRecord } from '../../catalogue/is-record.ts';
import type { Plain, PlainOperator } from '../expressions/plain.ts';

/** The engine gives up what lies deeper, and shall be the one to say so. */
const deepest = 20;

const operators: readonly unknown[] = ['=', '!=', 'and', 'or', '&'] satisfies readonly PlainOperator[];

/** What a tree of JSONata comes down to; undefined for one that says more than a plain expression can. */
export function plainExpression(tree: unknown, depth = 0): Plain | undefined {
  if (!isRecord(tree) || depth > deepest) return undefined;
  switch (tree.type) {
    case 'string':
    case 'number':
    case 'value':
      return has(tree, ['value']) ? literal(tree.value) : undefined;
    case 'path':
      return has(tree, ['steps']) ? path(tree.steps) : undefined;
    case 'block':
      return has(tree, ['expressions']) ? only(tree.expressions, depth) : undefined;
    case 'binary':
      return has(tree, ['value', 'lhs', 'rhs']) ? binary(tree, depth) : undefined;
    default:
      return undefined;
  }
}

/** Whether a node says nothing beside what is known: a filter, a group, an index would be a member more. */
function has(node: Readonly<Record<string, unknown>>, members: readonly string[]): boolean {
  return Object.keys(node).every((name) => name === 'type' || name === 'position' || members.includes(name));
}

function literal(value: unknown): Plain | undefined {
  return value === null || ['string', 'number', 'boolean'].includes(typeof value)
    ? { value: value as string | number | boolean | null }
    : undefined;
}

function path(steps: unknown): Plain | undefined {
  if (!Array.isArray(steps)) return undefined;
  const names = steps.map((step: unknown) => (isRecord(step) && step.type === 'name' && has(step, ['value']) ? step.value : undefined));
  return names.every((name) => typeof name === 'string') ? { path: names } : undefined;
}

function only(expressions: unknown, depth: number): Plain | undefined {
  return Array.isArray(expressions) && expressions.length === 1 ? plainExpression(expressions[0], depth + 1) : undefined;
}

function binary({ value: op, lhs, rhs }: Readonly<Record<string, unknown>>, depth: number): Plain | undefined {
  const [left, right] = [plainExpression(lhs, depth + 1), plainExpression(rhs, depth + 1)];
  return isOperator(op) && left && right ? { op, of: [left, right] } : undefined;
}

function isOperator(op: unknown): op is PlainOperator {
  return operators.includes(op);
}
