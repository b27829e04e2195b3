import type { Expression } from '../hook.ts';
import type { Evaluator } from './evaluator.ts';
import { plainValue } from './plain.ts';

/** The values of some expressions over one input; undefined for an expression that finds nothing. What it throws is the evaluator's. */
export type LateEvaluate = (expressions: readonly Expression[], input: unknown) => Promise<readonly unknown[]>;

/** Where the source of JSONata is loaded from: a module, so that a bundle reads it only for an expression that needs it. */
export type EngineSource = () => Promise<{ readonly engine: string }>;

/** Evaluates what is plain as it is, and the rest by an engine, which is loaded with the first expression that needs it. */
export function lateEvaluator(source: EngineSource): LateEvaluate {
  let evaluator: Evaluator | undefined;
  const engine = async () => {
    evaluator ??= await load(source);
    return evaluator;
  };
  return async (expressions, input) => {
    const known = expressions.map(({ plain }) => plain && plainValue(plain, input));
    const left = expressions.filter((_, index) => known[index] === undefined).map(({ text }) => text);
    const values = left.length === 0 ? [] : [...(await engine()).evaluate(left, input)];
    return known.map((found) => (found ? found.value : values.shift()));
  };
}

async function load(source: EngineSource): Promise<Evaluator> {
  const { evaluator } = await import('./evaluator.ts');
  const { engine } = await source();
  return evaluator(engine);
}
