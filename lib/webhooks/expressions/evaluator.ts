import { isRecord } from '../../catalogue/is-record.ts';
import { ToolError } from '../../errors.ts';

/** Evaluates JSONata over a value, within bounds of time, steps and depth. */
export interface Evaluator {
  /**
   * The values of some expressions over one input; undefined for an expression that finds nothing.
   *
   * @throws ToolError `invalid_arguments` with the expression's own complaint, or that it took more than it may; `deadline_exceeded` where the
   *   machine was too busy for anything to be found
   */
  evaluate(expressions: readonly string[], input: unknown): readonly unknown[];
}

/** What one evaluation may take. An honest condition takes some dozen steps, and far less than a millisecond. */
const bounds = { timeMs: 250, steps: 20_000, depth: 100, items: 20_000 } as const;

/** How long an evaluation is waited for at most where the process hardly gets a processor. */
const longestMs = 2000;

/**
 * Runs inside the context. Results leave as JSON: nothing but text passes between the two sides. An expression is compiled when it is first met.
 */
const evaluation = `
  outcome = undefined;
  (async () => {
    const { expressions, input, bounds } = JSON.parse(order);
    const values = [];
    let steps = 0;
    for (const text of expressions) {
      const expression = (compiled[text] ??= jsonata(text, { stack: bounds.depth, sequence: bounds.items }));
      expression.assign(Symbol.for('jsonata.__evaluate_entry'), () => {
        steps += 1;
        if (steps > bounds.steps) throw { message: 'it takes more than ' + bounds.steps + ' steps' };
      });
      const value = await expression.evaluate(input);
      values.push(value === undefined ? [] : [value]);
    }
    return { values };
  })().then((done) => { outcome = JSON.stringify(done); }, (failure) => { outcome = JSON.stringify({ message: String(failure.message) }); });
`;

/**
 * An evaluator that runs the engine in a context of its own, whose time can be cut off from outside: a bound inside the engine would not hold for
 * a regular expression, or any other single step that goes on and on.
 *
 * @param engine the source of JSONata, which makes itself a global
 */
export function evaluator(engine: string): Evaluator {
  const { createContext, Script } = process.getBuiltinModule('node:vm');
  const [prepare, run] = [
    new Script(`globalThis.global = globalThis;\n${engine}`, { filename: 'jsonata.js' }),
    new Script(evaluation, { filename: 'evaluation.js' }),
  ];
  const open = () => {
    // Promises settle before a run returns, so that its bound holds for all that it sets going.
    const opened = createContext({ Buffer, compiled: {}, order: '', outcome: undefined }, { microtaskMode: 'afterEvaluate' });
    prepare.runInContext(opened);
    return opened;
  };
  let context = open();
  /** What the script leaves; undefined when the time was over. */
  const outcomeWithin = (timeMs: number): unknown => {
    try {
      run.runInContext(context, { timeout: timeMs });
      return context.outcome;
    } catch (failure) {
      // What was cut off may have left work behind: it goes with its context.
      context = open();
      if (isTimeout(failure)) return undefined;
      throw failure;
    }
  };
  return {
    evaluate(expressions, input) {
      const order = JSON.stringify({ expressions, input, bounds });
      for (let timeMs: number = bounds.timeMs; timeMs <= longestMs; timeMs *= 2) {
        context.order = order;
        const before = process.cpuUsage();
        const outcome = outcomeWithin(timeMs);
        if (outcome !== undefined) return valuesIn(outcome);
        // The clock runs on while others have the processor: an expression that had less than half of its time is asked again, with more of it.
        const { user, system } = process.cpuUsage(before);
        if (user + system > (bounds.timeMs / 2) * 1000) throw refusal(`it takes more than ${bounds.timeMs} ms`);
      }
      throw new ToolError('deadline_exceeded', `the expressions of the hook were not evaluated: this machine is too busy`);
    },
  };
}

function valuesIn(outcome: unknown): readonly unknown[] {
  // Safe: the script above wrote it.
  const { values, message } = JSON.parse(String(outcome)) as {
    readonly values?: readonly (readonly unknown[])[];
    readonly message?: string;
  };
  if (!values) throw refusal(message ?? 'unknown');
  return values.map(([value]) => value);
}

function isTimeout(failure: unknown): boolean {
  // Made inside the context, it is none of this side's errors.
  return isRecord(failure) && failure.code === 'ERR_SCRIPT_EXECUTION_TIMEOUT';
}

function refusal(message: string): ToolError {
  return new ToolError('invalid_arguments', `an expression of the hook fails on this delivery: ${message.slice(0, 200)}`);
}
