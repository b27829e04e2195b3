import fc, { type Arbitrary } from 'fast-check';
import jsonata from 'jsonata';
import { expect, it } from 'vitest';
import { lateEvaluator } from '../../lib/webhooks/expressions/late-evaluator.ts';
import type { Hook } from '../../lib/webhooks/hook.ts';
import { type ExpressionInput, planOf } from '../../lib/webhooks/plan.ts';
import { compiled } from '../webhooks/support/sender.ts';
import { holds } from './holds.ts';

const names = ['a', 'b', 'x-y', 'missing', 'toString', '__proto__'] as const;
// The largest is how 1e400 is read.
const scalar = fc.oneof(
  fc.constantFrom<unknown>('', 'x', 'true', 0, -1, 1.5, Number.POSITIVE_INFINITY, true, false, null),
  fc.string({ maxLength: 3 }),
);

const { value: body } = fc.letrec<{ value: unknown }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 4 },
    { arbitrary: scalar, weight: 3 },
    { arbitrary: fc.dictionary(fc.constantFrom(...names), tie('value'), { maxKeys: 3 }), weight: 4 },
    { arbitrary: fc.array(tie('value'), { maxLength: 3 }), weight: 1 },
  ),
}));

const path = fc.array(fc.constantFrom(...names.map((name) => (/^\w+$/.test(name) ? name : `\`${name}\``))), { maxLength: 3 });
const leaf: Arbitrary<string> = fc.oneof(
  { arbitrary: path.map((steps) => ['body', ...steps].join('.')), weight: 6 },
  { arbitrary: fc.constantFrom('"x"', '""', '0', '-1', '1.5', 'true', 'false', 'null', 'headers', 'id'), weight: 4 },
  // What is more than a plain expression can say.
  {
    arbitrary: fc.constantFrom('body.a[0]', 'body.*', '$count(body)', 'body.a[]', '$$.body.a', '(body.a; body.b)', 'body.{"k": a}'),
    weight: 1,
  },
);
const { expression } = fc.letrec<{ expression: string }>((tie) => ({
  expression: fc.oneof(
    { maxDepth: 3 },
    { arbitrary: leaf, weight: 2 },
    {
      arbitrary: fc
        .tuple(tie('expression'), fc.constantFrom('=', '!=', 'and', 'or', '&'), tie('expression'))
        .map(([left, op, right]) => `(${left} ${op} ${right})`),
      weight: 3,
    },
  ),
}));

/** A hook whose id and whose condition are this expression. */
function hookWith(text: string): Hook {
  const said = JSON.stringify(text);
  const run = '[{ tool: account-get-information }]';
  const [hook] = compiled(`hooks: { a: { verify: github, secret: env:A, caller: ci, id: ${said}, on: [{ when: ${said}, run: ${run} }] } }`);
  if (hook === undefined) throw new Error(`${text} makes no hook`);
  return hook;
}

it('what a hook says in plain words is found without the engine, and is what the engine finds', async () => {
  let unaided = 0;
  const asked = new Error('the engine is asked for');
  const evaluate = lateEvaluator(() => Promise.reject(asked));
  const found = async (hook: Hook, input: ExpressionInput) => ({
    id: (await evaluate(hook.id ? [hook.id] : [], input))[0],
    holds: (await planOf(hook, input, evaluate)).length > 0,
  });
  const property = fc.asyncProperty(expression, body, async (text, value) => {
    const input = { id: 'd-1', headers: { 'x-y': 'z' }, query: {}, body: value };
    const plain = await found(hookWith(text), input).catch((failure) => (failure === asked ? undefined : Promise.reject(failure)));
    if (plain === undefined) return;
    unaided += 1;
    const [id, truth] = [await jsonata(text).evaluate(input), await jsonata(`$boolean(${text})`).evaluate(input)];
    expect(plain, text).toStrictEqual({ id, holds: truth === true });
  });
  const cases = await holds('expressions of hooks', 2000, property);
  expect(unaided).toBeGreaterThanOrEqual(cases / 4);
});
