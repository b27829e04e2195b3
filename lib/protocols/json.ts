import { type Call, type CallScope, perform } from '../access/call.ts';
import { selectionWords } from '../access/selection.ts';
import { isRecord } from '../catalogue/is-record.ts';
import { type ErrorRecord, ToolError } from '../errors.ts';
import { told } from '../functions/bug.ts';
import type { Event, ParsedRequest, WebRequest } from '../functions/event.ts';
import { type FunctionResponse, fitsAnswer, jsonResponse, mostAnswerBytes } from '../functions/response.ts';
import { clientName, openRecord } from './call-log.ts';
import { failureResponse, tooLarge } from './failure.ts';
import { parseJson } from './parse-json.ts';
import { maxBytesOf, maxBytesWord } from './result-budget.ts';
import { handedTo, handOver, type Served } from './scope.ts';

/** Carries out a plain JSON call that came over the web; hands it on where the domains' own functions answer. */
export async function answerCall(call: Call, request: WebRequest, scope: CallScope, served: Served): Promise<FunctionResponse> {
  const { context } = served;
  const { caller, traceparent } = scope;
  const about = { protocol: 'JSON', caller: caller.name, client: clientName(request.headers), activationId: context.activationId } as const;
  const record = openRecord({ ...about, traceparent }, served);
  try {
    const destination = handedTo(call, scope, served);
    if (destination) return await handOver(request, destination, served, ({ isError }) => typeof isError === 'boolean');
    const more = { idempotencyKey: request.headers['idempotency-key'], maxBytes: maxBytesOf(request.query) };
    const result = await perform({ ...call, ...more }, { ...scope, note: record.note });
    record.end(call.tool, 'ok');
    const answer = jsonResponse(200, { tool: call.tool, isError: false, result, activationId: context.activationId });
    return fitsAnswer(answer.body ?? '') ? answer : failureResponse(tooLarge(call.tool), context, call.tool);
  } catch (failure) {
    const error = told(failure, context);
    record.end(call.tool, error.code);
    return failureResponse(error, context, call.tool);
  }
}

/** What a direct invocation gets: an object without a top-level `error`, which would tell the platform that the function failed. */
export type DirectAnswer =
  | { readonly tool: string; readonly isError: false; readonly result: unknown; readonly activationId?: string }
  | { readonly tool: string; readonly isError: true; readonly result: { readonly error: ErrorRecord }; readonly activationId?: string };

export async function answerDirect(call: Call, scope: () => CallScope, served: Served): Promise<DirectAnswer> {
  const { context } = served;
  const { activationId } = context;
  const record = openRecord({ protocol: 'direct', caller: 'direct', activationId }, served);
  try {
    const result = await perform(call, { ...scope(), note: record.note });
    record.end(call.tool, 'ok');
    const answer = { tool: call.tool, isError: false, result, activationId } as const;
    if (Buffer.byteLength(JSON.stringify(answer)) <= mostAnswerBytes) return answer;
    return { ...answer, isError: true, result: { error: tooLarge(call.tool).toRecord() } };
  } catch (failure) {
    const error = told(failure, context);
    record.end(call.tool, error.code);
    return { tool: call.tool, isError: true, result: { error: error.toRecord() }, activationId };
  }
}

/** The call in a request to `/tools/<name>`: the arguments are a JSON object, a form's fields, or the query's. */
export function readNamedCall(tool: string, request: WebRequest): Call {
  const inQuery = toolArguments(request.query);
  const body = readBody(request);
  return { tool, arguments: joined(tool, [...inQuery, ...body.entries]), text: body.text || inQuery.length > 0 };
}

/** The call in a request to the function's root: `{tool, arguments}`. */
export function readWrappedCall(request: WebRequest): Call {
  const { entries, text } = readBody(request);
  return { ...wrapped(joined('call', [...toolArguments(request.query), ...entries])), text };
}

/** The call in an event that the platform took apart, or that never was a request. */
export function readParsedCall(tool: string | undefined, { fields }: ParsedRequest): Call {
  // The platform merged query and form fields with a JSON body's members, so any of them may be text.
  return tool === undefined ? { ...wrapped(fields), text: true } : { tool, arguments: fields, text: true };
}

/** `{tool, arguments}` at the top level; throws `invalid_arguments` that says so for anything else. */
export function wrapped(fields: Event): Call {
  const { tool, arguments: given, ...others } = fields;
  const unknown = Object.keys(others);
  if (typeof tool === 'string' && unknown.length === 0) return { tool, arguments: given };
  const got =
    typeof tool === 'string'
      ? `also ${unknown.join(', ')}`.slice(0, 100)
      : `members ${Object.keys(fields).join(', ') || 'none'}`.slice(0, 100);
  throw new ToolError('invalid_arguments', `a call is {"tool": "<name>", "arguments": {...}}, got ${got}`, {
    problems: [{ field: 'tool', got, expected: '{"tool": "<name>", "arguments": {...}}' }],
  });
}

type Entries = readonly (readonly [string, unknown])[];

/** The parameters of the address that choose tools, or the size of a result, are not arguments. */
const chosenBy: ReadonlySet<string> = new Set([...selectionWords, maxBytesWord]);

function toolArguments(query: URLSearchParams): Entries {
  return [...query].filter(([name]) => !chosenBy.has(name));
}

function readBody({ headers, body }: WebRequest): { readonly entries: Entries; readonly text: boolean } {
  if (body.trim() === '') return { entries: [], text: true };
  const form = headers['content-type']?.toLowerCase().startsWith('application/x-www-form-urlencoded') === true;
  // Clients that set no type send JSON as a form; what begins like an object is one.
  if (form && !body.trimStart().startsWith('{')) return { entries: [...new URLSearchParams(body)], text: true };
  const value = parse(body);
  if (isRecord(value)) return { entries: Object.entries(value), text: false };
  throw new ToolError(
    'invalid_arguments',
    `the body must be a JSON object of arguments, got ${Array.isArray(value) ? 'a list' : String(value).slice(0, 60)}`,
  );
}

function parse(body: string): unknown {
  try {
    return parseJson(body);
  } catch (failure) {
    const reason = failure instanceof Error ? failure.message : '';
    throw new ToolError(
      'invalid_arguments',
      `the body is not JSON: ${reason}; send a JSON object, or a form as application/x-www-form-urlencoded`,
    );
  }
}

/** One object out of query and body. The same name twice is fine while it says the same. */
function joined(tool: string, entries: Entries): Event {
  const values = new Map<string, unknown>();
  for (const [name, value] of entries) {
    if (values.has(name) && JSON.stringify(values.get(name)) !== JSON.stringify(value)) {
      throw new ToolError('invalid_arguments', `${tool}: ${name} was given twice with different values`, {
        problems: [{ field: name, got: JSON.stringify(value)?.slice(0, 80), expected: 'one value' }],
      });
    }
    values.set(name, value);
  }
  return Object.fromEntries(values);
}
