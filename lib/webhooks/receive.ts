import { noInput } from '../access/client-input.ts';
import { noWishes, select } from '../access/selection.ts';
import { isRecord } from '../catalogue/is-record.ts';
import { httpStatus, ToolError } from '../errors.ts';
import { told } from '../functions/bug.ts';
import { type FunctionResponse, jsonResponse } from '../functions/response.ts';
import { carryOut, retryOf } from './carry-out.ts';
import { type Claim, claim } from './claim.ts';
import { bodyDigest, type Delivery, type ReadDelivery, readDelivery } from './delivery.ts';
import { keptRequest } from './delivery-log.ts';
import type { Hook } from './hook.ts';
import type { Outcome } from './outcome.ts';
import { planOf } from './plan.ts';
import { type OpenHook, readinessOf } from './readiness.ts';
import { logOf, type Served, storeOf } from './served-hooks.ts';
import { disbelief } from './verify.ts';

/** How a delivery is to be taken. */
export interface Manner {
  /** Shows what would be called, keeps nothing, and uses up no id. */
  readonly dryRun?: boolean;
  /** Somebody has it carried out again: it was verified when it was sent, and it has had its effect already. */
  readonly replay?: boolean;
}

/** What became of a request to a hook. */
interface Received {
  readonly response: FunctionResponse;
  readonly outcome: Outcome['status'] | 'refused';
  readonly id?: string;
  readonly details?: Partial<Outcome>;
  readonly unrecorded?: true;
}

/** Takes a delivery: verifies it, keeps a second one of the same id out, makes its calls, answers, and leaves a line in the log whatever happened. */
export async function receive(hook: Hook, delivery: Delivery, manner: Manner, served: Served): Promise<FunctionResponse> {
  const time = new Date().toISOString();
  const beganAt = performance.now();
  const durationMs = () => Math.round(performance.now() - beganAt);
  const received = await receivedOf(hook, delivery, manner, served, { time, durationMs });
  const { response, outcome, id, details = {}, unrecorded } = received;
  served.audit({
    hook: hook.name,
    outcome,
    http: response.statusCode,
    ...(id !== undefined && { id }),
    caller: hook.caller,
    ...details,
    ...(manner.dryRun && { dryRun: true }),
    ...(manner.replay && { replay: true }),
    ...(unrecorded && { unrecorded }),
    client: delivery.headers['user-agent']?.split(/[/ ]/)[0]?.slice(0, 80),
    activationId: served.context.activationId,
    time,
    durationMs: durationMs(),
  });
  return response;
}

interface Timing {
  readonly time: string;
  readonly durationMs: () => number;
}

async function receivedOf(hook: Hook, delivery: Delivery, manner: Manner, served: Served, timing: Timing): Promise<Received> {
  try {
    const open = admit(hook, delivery, manner, served);
    const read = await readOrFail(hook, delivery, served);
    if ('status' in read) return { ...answered({ id: bodyDigest(delivery.bytes) }, read), details: read };
    const handshake = handshakeAnswer(hook, read);
    if (handshake) return { response: handshake, outcome: 'ignored', id: read.id };
    if (manner.dryRun) {
      const outcome = await outcomeOf(hook, read, open, manner, served);
      return { ...answered(read, outcome), details: outcome };
    }
    return await carriedOutOnce(hook, delivery, read, open, manner, served, timing);
  } catch (failure) {
    const error = told(failure, served.context);
    return { response: refusal(error), outcome: 'refused', details: { reason: error.message } };
  }
}

/** Refuses what is too large or not to be believed, and whatever comes to a hook that lacks something. */
function admit(hook: Hook, delivery: Delivery, { replay }: Manner, { settings, environment }: Served): OpenHook {
  if (delivery.bytes.length > hook.maxBytes) throw new TooLarge(hook, delivery);
  const readiness = readinessOf(hook, settings, environment);
  if ('missing' in readiness) {
    throw new ToolError('not_configured', `the hook ${hook.name} is closed: ${readiness.missing.join(', ')}`);
  }
  const doubt = replay ? undefined : disbelief(delivery, hook.verify, readiness.open.secrets);
  if (doubt) throw new ToolError('unauthenticated', `the delivery is not believed: it shows ${doubt}`);
  return readiness.open;
}

/** The delivery; or that it failed: for good, since its sender would only send the same again, unless that passes. */
async function readOrFail(hook: Hook, delivery: Delivery, { evaluate }: Served): Promise<ReadDelivery | Outcome> {
  try {
    return await readDelivery(hook, delivery, evaluate);
  } catch (failure) {
    if (failure instanceof ToolError) return { status: 'failed', calls: [], reason: failure.message, ...retryOf(failure) };
    throw failure;
  }
}

/** Larger than the hook takes: a status of its own, which no call has. */
class TooLarge extends ToolError {
  constructor({ name, maxBytes }: Hook, { bytes }: Delivery) {
    super('invalid_arguments', `the hook ${name} takes ${maxBytes} bytes, got ${bytes.length}`);
  }
}

async function carriedOutOnce(
  hook: Hook,
  delivery: Delivery,
  read: ReadDelivery,
  open: OpenHook,
  manner: Manner,
  served: Served,
  { time, durationMs }: Timing,
): Promise<Received> {
  const claimed = manner.replay ? undefined : await claim(hook, read, await storeOf(served), served.budget);
  if (claimed === 'claimed before') return answered(read, { status: 'duplicate', calls: [] });
  const outcome = claimed === 'cut off' ? cutOff : await outcomeOf(hook, read, open, manner, served);
  const request = keptRequest(delivery, read.headers);
  const remember = async () => {
    if (typeof claimed === 'object') await conclude(claimed, outcome);
    const { status, calls, reason } = outcome;
    const entry = {
      id: read.id,
      at: time,
      status,
      calls,
      reason,
      durationMs: durationMs(),
      ...(manner.replay && { replay: true as const }),
    };
    await (await logOf(served)).append(hook.name, { ...entry, ...(request && { request }) }, served.budget.signal);
  };
  try {
    await remember();
    return { ...answered(read, outcome), details: outcome };
  } catch {
    // It was carried out: that this cannot be written down must not make it look as if it had failed.
    return { ...answered(read, outcome), details: outcome, unrecorded: true };
  }
}

const cutOff: Outcome = {
  status: 'failed',
  calls: [],
  reason: 'an instance that had begun with it was cut off: its calls may or may not have been made; look, and replay it if not',
};

async function conclude(claimed: Claim, { retryAfterMs }: Outcome): Promise<void> {
  await (retryAfterMs === undefined ? claimed.settle() : claimed.release());
}

/** Finds out which calls a delivery comes down to, and makes them. */
async function outcomeOf(
  hook: Hook,
  read: ReadDelivery,
  { caller }: OpenHook,
  { dryRun = false }: Manner,
  served: Served,
): Promise<Outcome> {
  const { catalogue, settings, budget, memory, context } = served;
  try {
    const plan = await planOf(hook, read, served.evaluate);
    if (plan.length === 0) return { status: 'ignored', calls: [], reason: 'no condition holds' };
    const selection = select(catalogue, settings, caller, noWishes);
    const scope = { catalogue, settings, caller, selection, budget, input: noInput, memory, dryRun };
    return await carryOut(plan, { ...scope, told: (failure) => told(failure, context) });
  } catch (failure) {
    const error = told(failure, context);
    return { status: 'failed', calls: [], reason: error.message, ...retryOf(error) };
  }
}

/** What senders ask for when an address is entered; believed like any delivery. */
function handshakeAnswer({ verify }: Hook, { id, headers, body }: ReadDelivery): FunctionResponse | undefined {
  if (verify.kind === 'github' && headers['x-github-event'] === 'ping') return jsonResponse(200, { id, status: 'ignored', calls: [] });
  if (verify.kind !== 'slack' || !isRecord(body) || body.type !== 'url_verification') return undefined;
  return jsonResponse(200, { challenge: body.challenge });
}

function answered({ id }: Pick<ReadDelivery, 'id'>, { status, calls, retryAfterMs }: Outcome): Received {
  const shown = calls.map(({ tool, isError, code, result }) => ({
    tool,
    isError,
    ...(code && { code }),
    ...(result !== undefined && { result }),
  }));
  const response = jsonResponse(retryAfterMs === undefined ? 200 : 503, { id, status, calls: shown }, retryHeader(retryAfterMs));
  return { response, outcome: status, id };
}

/** What a failure before anything was done is answered. */
export function refusal(error: ToolError): FunctionResponse {
  const { retryAfterMs } = retryOf(error);
  const headers = {
    ...(error.code === 'unauthenticated' && { 'www-authenticate': 'Bearer' }),
    ...retryHeader(retryAfterMs),
  };
  return jsonResponse(error instanceof TooLarge ? 413 : httpStatus[error.code], { error: error.toRecord() }, headers);
}

function retryHeader(retryAfterMs: number | undefined): Readonly<Record<string, string>> {
  return retryAfterMs === undefined ? {} : { 'retry-after': String(Math.ceil(retryAfterMs / 1000)) };
}
