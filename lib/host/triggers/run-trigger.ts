import { randomUUID } from 'node:crypto';
import { type ActivationEvent, activationEvent } from '../activations/activation-event.ts';
import type { Invoker } from '../activations/invoker.ts';
import type { FunctionRegistry } from '../functions/function-registry.ts';
import { HostError } from '../host-error.ts';
import type { TriggerRecord } from './triggers.ts';

/** What a run of a trigger takes. */
export interface RunParts {
  readonly registry: FunctionRegistry;
  readonly invoker: Invoker;
  readonly onActivation: (event: ActivationEvent) => void;
}

/**
 * Calls a trigger's function with the trigger's body as its event, and answers the activation's id without waiting for it to end. HostError
 * `not_found` where the function is gone, `bad_request` where the body names a parameter that may not be, `too_many_requests`.
 */
export function runTrigger(trigger: TriggerRecord, { registry, invoker, onActivation }: RunParts): string {
  const deployed = registry.function(trigger.function);
  if (!deployed) throw new HostError('not_found', `its function ${trigger.function} is not deployed`);
  const inputs = trigger.body ?? {};
  const forbidden = Object.keys(inputs).find((key) => deployed.finalKeys.has(key));
  if (forbidden !== undefined) throw new HostError('bad_request', `its body defines a parameter that is not allowed: ${forbidden}`);
  const requestId = randomUUID().replaceAll('-', '');
  const receivedAt = performance.now();
  const { activationId, answered, recorded } = invoker.invoke(deployed, inputs, requestId);
  const tell = async (): Promise<void> => {
    const answer = await answered;
    const status = answer.response.success ? 200 : 502;
    const request = { method: 'TRIGGER', path: trigger.name, userAgent: undefined, receivedAt };
    const event = activationEvent(activationId, answer, request, { status, headers: {}, body: '' }, []);
    const { logs } = await recorded;
    onActivation({ ...event, logs });
  };
  tell().catch(() => {
    // A call that never ran has no activation to tell of.
  });
  return activationId;
}
