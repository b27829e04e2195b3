import type { DeployedSequence } from '../functions/deployed-function.ts';
import { annotationOf, fullName, sequenceKind } from '../functions/function-record.ts';
import { type ActivationRecord, type Measured, recordHead } from './activation-record.ts';
import type { Activation, Answered } from './call.ts';

/** A component that a sequence has called. `answer` is there once it has run. */
export interface SequenceStep {
  readonly activation: Activation;
  answer?: Answered;
}

/** A sequence takes as long as its components together; what lies between them does not count. */
export function sequenceMeasured(startMs: number, steps: readonly SequenceStep[]): Measured {
  const measured = steps.flatMap(({ answer }) => (answer ? [answer.measured] : []));
  return {
    startMs,
    durationMs: measured.reduce((sum, { durationMs }) => sum + durationMs, 0),
    waitMs: measured[0]?.waitMs ?? 0,
    timedOut: measured.at(-1)?.timedOut ?? false,
  };
}

/**
 * Builds the record of a sequence as the platform has it: the response of the last component, the ids of the components' activations as its log, the
 * memory of the largest as its limit. `cause` is the activation of the sequence around it.
 */
export function sequenceRecord(
  activationId: string,
  namespace: string,
  { record }: DeployedSequence,
  { response, measured }: Answered,
  components: readonly ActivationRecord[],
  cause: string | undefined,
): ActivationRecord {
  const memory = Math.max(0, ...components.map(memoryOf));
  const limits = { key: 'limits', value: { ...record.limits, memory } };
  return {
    ...recordHead(activationId, namespace, record, response, cause),
    start: measured.startMs,
    end: Date.now(),
    duration: measured.durationMs,
    logs: components.map((component) => component.activationId),
    annotations: [
      { key: 'topmost', value: cause === undefined },
      { key: 'path', value: `${namespace}/${fullName(record)}` },
      { key: 'kind', value: sequenceKind },
      ...(cause === undefined ? [] : [{ key: 'causedBy', value: sequenceKind }]),
      ...(memory > 0 ? [limits] : []),
    ],
  };
}

function memoryOf({ annotations }: ActivationRecord): number {
  const limits = annotationOf(annotations, 'limits');
  return typeof limits === 'object' && limits !== null && 'memory' in limits ? Number(limits.memory) : 0;
}
