import { styleText } from 'node:util';
import type { ActivationEvent } from '../../../host/start-host.ts';
import { failureOf, functionOf, outcomeOf, stripped } from '../activations/describe-activation.ts';
import { type Activation, annotationOf } from '../api/wire.ts';

/** A run of a function, as it is shown while developing. */
export interface ShownRun {
  /** `package/function` */
  readonly function: string;
  readonly version: string;
  readonly activationId: string;
  /** The request, or who called. */
  readonly request: string;
  /** HTTP status of the answer, or how the run ended. */
  readonly status: number | string;
  readonly isGood: boolean;
  readonly ms: number;
  readonly cold: boolean;
  /** As the record has them: time, stream, text. */
  readonly logs: readonly string[];
  /** What is wrong with it, in words. */
  readonly problems: readonly string[];
}

/** A run as the host in this process tells it. */
export function runOfEvent(event: ActivationEvent): ShownRun {
  const { activationId, version, status, ms, cold, logs, error, warnings } = event;
  const place = /^\/api\/v1\/web\/[^/]+\/(.*)$/.exec(event.path)?.[1] ?? event.path;
  return {
    ...{ function: event.function, version, activationId, status, ms, cold, logs },
    request: `${event.method} ${place}`,
    isGood: event.outcome === 'success' && status < 500,
    problems: [...(error === undefined ? [] : [error]), ...warnings],
  };
}

/** A run as another process's host records it, which knows nothing of the request. */
export function runOfActivation(activation: Activation): ShownRun {
  const { activationId, version, duration = 0, logs = [] } = activation;
  const isGood = activation.statusCode === 0;
  const failure = failureOf(activation);
  return {
    ...{ function: functionOf(activation), version, activationId, isGood, ms: duration, logs },
    request: functionOf(activation),
    status: outcomeOf(activation),
    cold: annotationOf(activation, 'initTime') !== undefined,
    problems: failure === null ? [] : [failure],
  };
}

/** The lines that show a run: the request, what the function printed, and what went wrong unless it printed that itself. */
export function runLines(run: ShownRun, translate: (text: string) => string, now = new Date()): readonly string[] {
  const { request, status, ms, cold, version, isGood } = run;
  const outcome = styleText(isGood ? 'green' : 'red', String(status), { stream: process.stdout });
  const head = [now.toTimeString().slice(0, 8), request, outcome, `${Math.round(ms)} ms`, cold ? 'cold' : 'warm', version].join('  ');
  const printed = run.logs.map((line) => translate(stripped(line)));
  const unprinted = run.problems.map(translate).filter((problem) => !printed.join('\n').includes(problem));
  return [head, ...printed.map((line) => `  ${line}`), ...unprinted.map((problem) => `  ! ${problem.replaceAll('\n', '\n    ')}`)];
}
