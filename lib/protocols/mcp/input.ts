import { type ClientInput, type InputRequest, type InputRequired, noInput } from '../../access/client-input.ts';
import { isRecord } from '../../catalogue/is-record.ts';
import { RpcError, type RpcRequest, rpcCodes } from './message.ts';
import { serverMeta } from './server-info.ts';
import { metaKeys } from './versions.ts';

type Params = RpcRequest['params'];

/** The methods whose result may be a question: the others must be answered outright (basic/patterns/mrtr). */
const asking: ReadonlySet<string> = new Set(['tools/call', 'prompts/get', 'resources/read']);

/** The capability that each question needs of a client. */
const neededFor: Readonly<Record<InputRequest['method'], string>> = {
  'elicitation/create': 'elicitation',
  'sampling/createMessage': 'sampling',
  'roots/list': 'roots',
};

/** What the client of a request of 2026-07-28 declares that it can do. */
export function clientCapabilities({ _meta: meta }: Params): Readonly<Record<string, unknown>> {
  const declared = isRecord(meta) ? meta[metaKeys.capabilities] : undefined;
  return isRecord(declared) ? declared : {};
}

/**
 * What the client of a request can be asked, and has answered. Revisions with a handshake declare capabilities once, on a connection that a single
 * invocation knows nothing of, and have no way to ask but a stream: their clients cannot be asked.
 *
 * @throws RpcError -32602 for answers or a state of the wrong shape
 */
export function inputOf({ method, params }: RpcRequest, modern: boolean): ClientInput {
  if (!modern || !asking.has(method)) return noInput;
  const { inputResponses, requestState } = params;
  if (inputResponses !== undefined && !isRecord(inputResponses)) throw invalid('inputResponses must be an object');
  const unread = Object.entries(inputResponses ?? {}).find(([, response]) => !isRecord(response));
  if (unread) throw invalid(`inputResponses[${JSON.stringify(unread[0].slice(0, 80))}] must be an object`);
  if (requestState !== undefined && typeof requestState !== 'string') throw invalid('requestState must be a string');
  return { canElicit: canShowForms(clientCapabilities(params)), responses: inputResponses ?? {}, state: requestState };
}

/** An elicitation that names no mode can do forms. */
function canShowForms({ elicitation }: Readonly<Record<string, unknown>>): boolean {
  return isRecord(elicitation) && ('form' in elicitation || !('url' in elicitation));
}

/**
 * The result that puts the questions of a call to its client.
 *
 * @throws RpcError -32021 where the client did not declare what a question needs; an Error where the method or the revision knows no questions
 */
export function questionText(failure: InputRequired, message: RpcRequest, modern: boolean): string {
  if (!modern || !asking.has(message.method)) throw new Error(`${message.method} cannot ask the client: ${failure.message}`);
  const declared = clientCapabilities(message.params);
  const missing = Object.values(failure.requests)
    .map(({ method }) => neededFor[method])
    .filter((capability) => !isRecord(declared[capability]));
  if (missing.length > 0) throw missingCapability(Object.fromEntries(missing.map((capability) => [capability, {}])));
  return JSON.stringify({ resultType: 'input_required', inputRequests: failure.requests, requestState: failure.state, _meta: serverMeta });
}

/** The refusal of a request whose client did not declare these capabilities, which its answer needs. */
export function missingCapability(requiredCapabilities: Readonly<Record<string, unknown>>): RpcError {
  const message = `this needs a client that declares ${JSON.stringify(requiredCapabilities)}`;
  return new RpcError(rpcCodes.missingCapability, 400, message, { requiredCapabilities });
}

function invalid(what: string): RpcError {
  return new RpcError(rpcCodes.invalidParams, 200, `params.${what}`);
}
