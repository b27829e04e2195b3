import type { Arguments } from '../catalogue/tool.ts';
import { ToolError } from '../errors.ts';
import type { LateEvaluate } from './expressions/late-evaluator.ts';
import type { Expression, Hook, HookCall, Template } from './hook.ts';

/** A call that a delivery comes down to. */
export interface PlannedCall {
  readonly tool: string;
  readonly readOnly: boolean;
  readonly arguments: Arguments;
}

/** What the expressions of a hook may speak of. */
export interface ExpressionInput {
  readonly id: string;
  /** Lower-case names, without credentials. */
  readonly headers: Readonly<Record<string, string>>;
  readonly query: Readonly<Record<string, string>>;
  /** Parsed: a JSON value, a form's fields, or else the text. */
  readonly body: unknown;
}

/**
 * The calls that a delivery comes down to: those of every rule whose condition holds, in order.
 *
 * @throws ToolError `invalid_arguments` for an expression that fails, or an argument whose expression finds nothing
 */
export async function planOf({ rules }: Hook, input: ExpressionInput, evaluate: LateEvaluate): Promise<readonly PlannedCall[]> {
  const conditions = rules.flatMap(({ when }) => (when === undefined ? [] : [conditionOf(when)]));
  const held = [...(await evaluate(conditions, input))];
  const calls = rules.filter(({ when }) => when === undefined || held.shift() === true).flatMap(({ run }) => run);
  const expressions = calls.flatMap((call) => expressionsIn(call.with));
  const values = [...(await evaluate(expressions, input))];
  return calls.map((call) => ({ tool: call.tool, readOnly: call.readOnly, arguments: argumentsOf(call, values) }));
}

/** Whether what an expression finds counts as true. Its end may be a comment. */
function conditionOf({ text, plain }: Expression): Expression {
  return { text: `$boolean((${text}\n))`, ...(plain && { plain: { boolean: plain } }) };
}

/** The expressions of a template in the order in which `filled` takes their values. */
function expressionsIn(template: Template): readonly Expression[] {
  if ('expression' in template) return [template.expression];
  if ('items' in template) return template.items.flatMap(expressionsIn);
  return 'members' in template ? Object.values(template.members).flatMap(expressionsIn) : [];
}

function argumentsOf({ tool, with: template }: HookCall, values: unknown[]): Arguments {
  if (!('members' in template)) return {};
  return Object.fromEntries(Object.entries(template.members).map(([name, member]) => [name, filled(member, `${tool}: ${name}`, values)]));
}

function filled(template: Template, where: string, values: unknown[]): unknown {
  if ('value' in template) return template.value;
  if ('items' in template) return template.items.map((item, index) => filled(item, `${where}[${index}]`, values));
  if ('members' in template) {
    return Object.fromEntries(Object.entries(template.members).map(([name, member]) => [name, filled(member, `${where}.${name}`, values)]));
  }
  const value = values.shift();
  // An argument that silently went missing could make a call mean much more than it says.
  if (value === undefined) throw new ToolError('invalid_arguments', `${where}: the expression ${template.expression.text} finds nothing`);
  return value;
}
