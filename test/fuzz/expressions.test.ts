import fc, { type Arbitrary } from 'fast-check';
import { expect, it } from 'vitest';
import { lateEvaluator } from '../../lib/webhooks/expressions/late-evaluator.ts';
import type { Expression } from '../../lib/webhooks/hook.ts';
import { compiled, engine } from '../webhooks/support/sender.ts';
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

/** An expression as a hook has it. */
function inHook(text: string): Expression | undefined {
  const [hook] = compiled(`hooks: { a: { verify: github, secret: env:A, caller: ci, id: ${JSON.stringify(text)}, on: [] } }`);
  return hook?.id;
}

/** None of these takes the engine long by itself: where its time is over, the machine was busy with others, and the case says nothing. */
function unlessStarved(failure: Error): never {
  fc.pre(!failure.message.includes('it takes more than 250 ms'));
  throw failure;
}

it('what a hook says in plain words is found without the engine, and is what the engine finds', async () => {
  let [cases, unaided] = [0, 0];
  const evaluate = lateEvaluator(engine);
  const alone = lateEvaluator(() => Promise.reject(new Error('the engine is asked for')));
  const property = fc.asyncProperty(expression, body, async (text, value) => {
    const input = { id: 'd-1', headers: { 'x-y': 'z' }, query: {}, body: value };
    const whole = inHook(text);
    if (whole === undefined) throw new Error(`${text} is in no hook`);
    const asked = await evaluate([{ text }], input).catch(unlessStarved);
    const found = await evaluate([whole], input).catch(unlessStarved);
    expect(found, text).toStrictEqual(asked);
    cases += 1;
    unaided += await alone([whole], input).then(
      () => 1,
      () => 0,
    );
  });
  await holds('expressions of hooks', 2000, property);
  expect(unaided / cases).toBeGreaterThan(0.25);
});
