import jsonata from 'jsonata';
import type { Node } from 'yaml';
import { isRecord } from '../../catalogue/is-record.ts';
import type { Expression } from '../hook.ts';
import { plainExpression } from './plain-expression.ts';
import type { Source } from './source.ts';

/** An expression that can be evaluated; a problem, with the place in the expression, and undefined for any other. */
export function checkedExpression(text: string, at: Node, what: string, source: Source): Expression | undefined {
  try {
    const tree: unknown = jsonata(text).ast();
    const plain = plainExpression(tree);
    if (!namesVariable(tree, 'eval')) return { text, ...(plain && { plain }) };
    source.refuse(at, `${what}: $eval would run what a delivery says; write the expression out`);
  } catch (failure) {
    // JSONata throws objects that are not errors.
    const { message, position } = isRecord(failure) ? failure : { message: String(failure), position: undefined };
    const where = typeof position === 'number' ? ` at character ${position} of ${JSON.stringify(text.slice(0, 80))}` : '';
    source.refuse(at, `${what}: not a JSONata expression: ${String(message)}${where}`);
  }
  return undefined;
}

function namesVariable(tree: unknown, name: string): boolean {
  if (Array.isArray(tree)) return tree.some((part) => namesVariable(part, name));
  if (!isRecord(tree)) return false;
  return (tree.type === 'variable' && tree.value === name) || Object.values(tree).some((part) => namesVariable(part, name));
}
