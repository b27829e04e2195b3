import type { ActivationRecord, ActivationResponse } from '../activations/activation-record.ts';
import { functionLimits, hostLimits } from '../limits.ts';

/** The activation of a call of the builder, as that of a function `nimbella/builder/<action>` in the caller's namespace. */
export function builderRecord(
  activationId: string,
  namespace: string,
  action: string,
  response: ActivationResponse,
  startMs: number,
): ActivationRecord {
  const end = Date.now();
  const { memoryMib, logsMib } = functionLimits;
  const limits = { concurrency: 1, logs: logsMib.default, memory: memoryMib.default, timeout: hostLimits.remoteBuildMs };
  return {
    activationId,
    namespace,
    name: action,
    version: '0.0.1',
    subject: namespace,
    start: startMs,
    end,
    duration: end - startMs,
    publish: false,
    statusCode: response.statusCode,
    response,
    logs: [],
    annotations: [
      { key: 'path', value: `nimbella/builder/${action}` },
      { key: 'waitTime', value: 0 },
      { key: 'kind', value: 'nodejs:default' },
      { key: 'timeout', value: false },
      { key: 'limits', value: limits },
    ],
  };
}
