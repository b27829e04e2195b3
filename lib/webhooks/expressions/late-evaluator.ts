import type { Evaluator } from './evaluator.ts';

/** `evaluate` of an evaluator that is made with the first expression. */
export type LateEvaluate = (...given: Parameters<Evaluator['evaluate']>) => Promise<ReturnType<Evaluator['evaluate']>>;

/** Where the source of JSONata is loaded from: a module, so that a bundle reads it only for an expression. */
export type EngineSource = () => Promise<{ readonly engine: string }>;

/** An evaluator over an engine that is to be loaded. */
export function lateEvaluator(source: EngineSource): LateEvaluate {
  let evaluator: Evaluator | undefined;
  return async (expressions, input) => {
    evaluator ??= await load(source);
    return evaluator.evaluate(expressions, input);
  };
}

async function load(source: EngineSource): Promise<Evaluator> {
  const { evaluator } = await import('./evaluator.ts');
  const { engine } = await source();
  return evaluator(engine);
}
