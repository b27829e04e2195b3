import { type ActivationEvent, activationEvent } from '../activations/activation-event.ts';
import type { ActivationResponse } from '../activations/activation-record.ts';
import type { Invoker } from '../activations/invoker.ts';
import { waitFor } from '../activations/wait-for.ts';
import type { DeployedFunction } from '../functions/deployed-function.ts';
import { HostError } from '../host-error.ts';
import { type Answer, jsonAnswer } from '../http/answer.ts';
import { type Exchange, onClientGone } from '../http/exchange.ts';
import { hostLimits } from '../limits.ts';
import { readNumber, readSwitch } from './entity.ts';
import type { Content } from './read-content.ts';

export interface InvokeParts {
  readonly invoker: Invoker;
  readonly onActivation: (event: ActivationEvent) => void;
}

/** `POST /namespaces/_/actions/P/F` (platform reference, invocation): waits for the result only with `blocking=true`. */
export async function invokeAction(
  exchange: Exchange,
  deployed: DeployedFunction,
  query: URLSearchParams,
  inputs: Content,
  { invoker, onActivation }: InvokeParts,
): Promise<Answer> {
  const blocking = readSwitch(query, 'blocking');
  const resultOnly = readSwitch(query, 'result');
  const waitMs = Math.min(readNumber(query, 'timeout') ?? hostLimits.waitMs, hostLimits.waitMs);
  const forbidden = Object.keys(inputs).find((key) => deployed.finalKeys.has(key));
  if (forbidden !== undefined) {
    throw new HostError('bad_request', `Request defines parameters that are not allowed (e.g., reserved properties): ${forbidden}.`);
  }
  const { activationId, answered, recorded, abandon } = invoker.invoke(deployed, inputs, exchange.requestId);
  const headers = { 'x-openwhisk-activation-id': activationId };
  const accepted = jsonAnswer(202, { activationId }, headers);
  const tell = answered.then((answer) => {
    const sent = blocking ? jsonAnswer(statusOf(answer.response), {}, headers) : accepted;
    const event = activationEvent(activationId, answer, exchange, sent, []);
    void recorded.then(({ logs }) => onActivation({ ...event, logs }));
    return answer;
  });
  tell.catch(() => {
    // It is answered below; an activation that never ran is not told.
  });
  if (!blocking) return accepted;
  onClientGone(exchange, abandon);
  if (resultOnly) {
    const answer = await waitFor(tell, waitMs);
    return answer ? jsonAnswer(statusOf(answer.response), answer.response.result, headers) : accepted;
  }
  const record = await waitFor(recorded, waitMs);
  return record ? jsonAnswer(statusOf(record.response), record, headers) : accepted;
}

function statusOf({ status }: ActivationResponse): number {
  if (status === 'success') return 200;
  return status === 'whisk_internal_error' ? 500 : 502;
}
