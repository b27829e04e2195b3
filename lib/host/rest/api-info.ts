import { type Answer, jsonAnswer } from '../http/answer.ts';
import { kinds } from '../kinds/kinds.ts';
import { functionLimits, hostLimits } from '../limits.ts';

const bytesPerMib = 1024 * 1024;

/** `GET /api/v1`: which kinds there are and what the limits are. Clients read it before they show any credentials. */
export function apiInfo(): Answer {
  const { timeoutMs, memoryMib, logsMib } = functionLimits;
  return jsonAnswer(200, {
    api_paths: ['/api/v1'],
    description: 'A local host for serverless functions',
    support: { github: '', slack: '' },
    runtimes: {
      nodejs: kinds.map(({ kind, default: isDefault }) => ({
        kind,
        default: isDefault,
        deprecated: false,
        attached: true,
        requireMain: false,
      })),
    },
    limits: {
      actions_per_minute: hostLimits.invocationsPerMinute,
      concurrent_actions: hostLimits.concurrentInvocations,
      sequence_length: hostLimits.sequenceLength,
      min_action_duration: timeoutMs.least,
      max_action_duration: timeoutMs.most,
      default_action_duration: timeoutMs.default,
      min_action_memory: memoryMib.least * bytesPerMib,
      max_action_memory: memoryMib.most * bytesPerMib,
      default_action_memory: memoryMib.default * bytesPerMib,
      min_action_logs: logsMib.least * bytesPerMib,
      max_action_logs: logsMib.most * bytesPerMib,
      default_action_logs: logsMib.default * bytesPerMib,
    },
  });
}
