import { type ActivationEvent, activationEvent } from '../activations/activation-event.ts';
import type { Answered } from '../activations/call.ts';
import type { Invoker } from '../activations/invoker.ts';
import { secretsOf } from '../activations/secrets.ts';
import { waitFor } from '../activations/wait-for.ts';
import type { DeployedAction } from '../functions/deployed-function.ts';
import type { FunctionRegistry } from '../functions/function-registry.ts';
import { HostError } from '../host-error.ts';
import { type Answer, errorAnswer, failureAnswer } from '../http/answer.ts';
import { sameSecret } from '../http/credentials.ts';
import { type Exchange, onClientGone } from '../http/exchange.ts';
import { readBody } from '../http/read-body.ts';
import { hostLimits } from '../limits.ts';
import { corsHeaders } from './cors.ts';
import type { WebAddress } from './web-address.ts';
import { webAnswer } from './web-answer.ts';
import { webEvent } from './web-event.ts';

export interface WebParts {
  readonly registry: FunctionRegistry;
  readonly invoker: Invoker;
  /** Whether an `Authorization` header shows credentials of the namespace. */
  readonly isOwner: (authorization: string | undefined) => boolean;
  readonly scheme: 'http' | 'https';
  /** The longest a caller waits. */
  readonly waitMs: number;
  readonly onActivation: (event: ActivationEvent) => void;
}

/**
 * Answers a request for a web function (platform reference, web functions). At its own address failures of the function get the platform's
 * status, which is 400 for most; where it is mounted they get the status that says what happened: 502, and 504 for a timeout.
 */
export async function serveWeb(exchange: Exchange, address: WebAddress, parts: WebParts): Promise<Answer> {
  const deployed = parts.registry.function(address.fullName);
  const cors = deployed?.customOptions ? {} : corsHeaders(exchange.request.headers);
  const always = { 'x-request-id': exchange.requestId, ...cors };
  try {
    const answer = await answerFor(exchange, address, deployed, parts);
    return { ...answer, headers: { ...always, ...answer.headers } };
  } catch (error) {
    if (!(error instanceof HostError)) throw error;
    const answer = failureAnswer(error, exchange.requestId);
    return { ...answer, headers: { ...always, ...answer.headers } };
  }
}

async function answerFor(exchange: Exchange, address: WebAddress, found: DeployedAction | undefined, parts: WebParts): Promise<Answer> {
  const { request, requestId, method, query } = exchange;
  if (!found || found.web === 'no') throw new HostError('not_found', missing(address));
  const deployed = found;
  if (method === 'OPTIONS' && !deployed.customOptions) return { status: 200, headers: {}, body: '' };
  checkSecurity(exchange, deployed, parts.isOwner);
  const inputs = webEvent(
    {
      method,
      path: address.path,
      query,
      headers: request.headers,
      body: await readBody(request, hostLimits.requestBytes),
      requestId,
      clientAddress: request.socket.remoteAddress ?? '',
      scheme: parts.scheme,
    },
    deployed,
  );
  // A mounted address is this host's own: the platform, whose limit it is, knows none such.
  const invocation = parts.invoker.invoke(deployed, inputs, requestId, { metered: !address.mounted, secrets: secretsOf(request.headers) });
  onClientGone(exchange, invocation.abandon);
  const converted = invocation.answered.then((answered) => ({ answered, ...toAnswer(answered, address, requestId) }));
  const inTime = await waitFor(converted, parts.waitMs);
  const answer = inTime?.answer ?? errorAnswer(202, 'Response not yet ready.', requestId);
  const tell = async (): Promise<void> => {
    const { answered, warnings } = inTime ?? (await converted);
    const event = activationEvent(invocation.activationId, answered, exchange, answer, warnings);
    const { logs } = await invocation.recorded;
    parts.onActivation({ ...event, logs });
  };
  tell().catch(() => {
    // It never ran: there is nothing to tell.
  });
  return { ...answer, headers: { ...answer.headers, 'x-openwhisk-activation-id': invocation.activationId } };
}

function missing({ mounted, fullName }: WebAddress): string {
  return mounted
    ? `${fullName} is served at this address and is not deployed as a web function.`
    : 'The requested resource does not exist.';
}

function checkSecurity({ request }: Exchange, { webSecurity }: DeployedAction, isOwner: WebParts['isOwner']): void {
  if (webSecurity.type === 'open') return;
  const { authorization, 'x-require-whisk-auth': shown } = request.headers;
  if (webSecurity.type === 'credentials' && isOwner(authorization)) return;
  if (webSecurity.type === 'secret' && typeof shown === 'string' && sameSecret(shown, webSecurity.secret)) return;
  const needed = webSecurity.type === 'secret' ? 'the header X-Require-Whisk-Auth' : 'the credentials of the namespace';
  throw new HostError('unauthenticated', `This function needs ${needed}; what was sent is missing or wrong.`);
}

function toAnswer(
  { response, measured }: Answered,
  address: WebAddress,
  requestId: string,
): { readonly answer: Answer; readonly warnings: readonly string[] } {
  const failed = 'There was an error processing your request.';
  if (response.status === 'whisk_internal_error') return { answer: errorAnswer(500, failed, requestId), warnings: [] };
  const trueStatus = measured.timedOut ? 504 : 502;
  if (response.status === 'action_developer_error') {
    return { answer: errorAnswer(address.mounted ? trueStatus : 400, failed, requestId), warnings: [] };
  }
  const converted = webAnswer(response, address.extension);
  const isAppError = response.status === 'application_error';
  if (converted.type === 'refused') {
    const status = address.mounted && isAppError ? trueStatus : converted.status;
    const error = isAppError ? response.result?.error : undefined;
    return {
      answer: errorAnswer(status, isAppError && address.mounted ? failed : converted.message, requestId),
      warnings: [typeof error === 'string' ? `the function failed, with no response to send: ${error}` : converted.message],
    };
  }
  // A handler that rejects has no answer of its own; where it is mounted, no content would pass for success.
  const isAccident = address.mounted && isAppError && converted.answer.status === 204;
  return isAccident ? { answer: errorAnswer(502, failed, requestId), warnings: converted.warnings } : converted;
}
