import { type ActivationEvent, activationEvent } from '../activations/activation-event.ts';
import type { ActivationResponse } from '../activations/activation-record.ts';
import type { Invoker } from '../activations/invoker.ts';
import { waitFor } from '../activations/wait-for.ts';
import type { DeployedAction } from '../functions/deployed-function.ts';
import { HostError } from '../host-error.ts';
import { type Answer, jsonAnswer } from '../http/answer.ts';
import { type Exchange, onClientGone } from '../http/exchange.ts';
import { readNumber, readSwitch } from './entity.ts';
import type { Content } from './read-content.ts';

export interface InvokeParts {
  readonly invoker: Invoker;
  readonly onActivation: (event: ActivationEvent) => void;
  /** The longest a caller waits; it may ask for less. */
  readonly waitMs: number;
}

/** `POST /namespaces/_/actions/P/F` (platform reference, invocation): waits for the result only with `blocking=true`. */
export async function invokeAction(
  exchange: Exchange,
  deployed: DeployedAction,
  query: URLSearchParams,
  inputs: Content,
  { invoker, onActivation, waitMs: mostWaitMs }: InvokeParts,
): Promise<Answer> {
  const blocking = readSwitch(query, 'blocking');
  const resultOnly = readSwitch(query, 'result');
  const waitMs = Math.min(readNumber(query, 'timeout') ?? mostWaitMs, mostWaitMs);
  const forbidden = Object.keys(inputs).find((key) => deployed.finalKeys.has(key));
  if (forbidden !== undefined) {
    throw new HostError('bad_request', `Request defines parameters that are not allowed (e.g., reserved properties): ${forbidden}.`);
  }
  const { activationId, answered, recorded, abandon } = invoker.invoke(deployed, inputs, exchange.requestId);
  const headers = { 'x-openwhisk-activation-id': activationId };
  const accepted = jsonAnswer(202, { activationId }, headers);
  if (blocking) onClientGone(exchange, abandon);
  const complete = resultOnly
    ? answered.then(({ response }) => jsonAnswer(statusOf(response), response.result, headers))
    : recorded.then((record) => jsonAnswer(statusOf(record.response), record, headers));
  const answer = blocking ? ((await waitFor(complete, waitMs)) ?? accepted) : accepted;
  const tell = async (): Promise<void> => {
    const event = activationEvent(activationId, await answered, exchange, answer, []);
    const { logs } = await recorded;
    onActivation({ ...event, logs });
  };
  // A call that never ran is not told, and where somebody waits for it, it was answered above.
  for (const ignored of [complete, tell()]) ignored.catch(() => {});
  return answer;
}

function statusOf({ status }: ActivationResponse): number {
  if (status === 'success') return 200;
  return status === 'whisk_internal_error' ? 500 : 502;
}
