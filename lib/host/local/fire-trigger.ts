import type { ActivationEvent } from '../activations/activation-event.ts';
import { HostError } from '../host-error.ts';
import { type Answer, jsonAnswer } from '../http/answer.ts';
import type { Exchange } from '../http/exchange.ts';
import type { Namespaces } from '../namespaces/namespaces.ts';
import { runTrigger } from '../triggers/run-trigger.ts';

const pattern = /^\/_local\/triggers\/([^/]+)\/fire$/;

/** The trigger that a path wants fired, still encoded; undefined for another path. */
export function firedTrigger(path: string): string | undefined {
  return pattern.exec(path)?.[1];
}

/**
 * `POST /_local/triggers/T/fire`: runs a trigger of the caller's namespace now, whether it is enabled or not, and answers 202 with the
 * activation's id. The platform has no such call.
 */
export function fireTrigger(
  { request, method, path }: Exchange,
  encodedName: string,
  { namespaces, onActivation }: { readonly namespaces: Namespaces; readonly onActivation: (event: ActivationEvent) => void },
): Answer {
  const { registry, invoker, triggers } = namespaces.authenticate(request.headers.authorization);
  if (method !== 'POST') throw new HostError('method_not_allowed', `${method} is not supported for ${path}`);
  const name = decoded(encodedName);
  const trigger = triggers.find(name);
  if (!trigger) throw new HostError('not_found', `There is no trigger "${name}".`);
  const activationId = runTrigger(trigger, { registry, invoker, onActivation });
  triggers.noteRun(trigger);
  return jsonAnswer(202, { activationId }, { 'x-openwhisk-activation-id': activationId });
}

function decoded(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch (error) {
    throw new HostError('bad_request', `The path is not well encoded: ${segment}`, { cause: error });
  }
}
