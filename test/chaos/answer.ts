import { isRecord } from '../../lib/catalogue/is-record.ts';
import { type ErrorCode, httpStatus } from '../../lib/errors.ts';
import { argumentsOf, everyTool } from '../support/call-of.ts';
import type { Answered } from '../support/gateway.ts';
import type { Cell } from './cell.ts';
import type { Ending } from './faults.ts';
import { activation } from './lane.ts';

type Fields = Readonly<Record<string, unknown>>;

/** What an answer says, whichever protocol it came by; `flaws` is what is not as it should be formed. */
export interface Said {
  readonly ending: Ending;
  /** The result, or the error. */
  readonly content: Fields;
  readonly flaws: readonly string[];
}

/** Reads the answer to a cell's call. */
export function saidBy({ tool, protocol }: Cell, answer: Answered): Said {
  const { content, isError, flaws } = protocol === 'JSON' ? ofJson(tool.name, answer) : ofMcp(tool.name, answer);
  if (!isError) return { ending: 'ok', content, flaws: [...flaws, ...nextOf(content).flatMap(callable)] };
  const { code } = content;
  const isCode = typeof code === 'string' && Object.hasOwn(httpStatus, code);
  // Safe: it was just looked up among all there are.
  const ending = isCode ? (code as ErrorCode) : 'internal_error';
  const wrongStatus = protocol === 'JSON' && answer.status !== httpStatus[ending];
  return {
    ending,
    content,
    flaws: [
      ...flaws,
      ...(isCode ? [] : [`the code ${JSON.stringify(code)} is none of the closed set`]),
      ...(wrongStatus ? [`HTTP ${answer.status} does not fit ${ending}`] : []),
      ...(protocol === 'JSON' ? headerFlaws(answer, content) : []),
      ...errorFlaws(tool.name, content),
    ],
  };
}

interface Unwrapped {
  readonly content: Fields;
  readonly isError: boolean;
  readonly flaws: readonly string[];
}

function ofJson(tool: string, { json, status }: Answered): Unwrapped {
  const body: Fields = isRecord(json) ? json : {};
  const { isError } = body;
  const content = isError === true ? body.error : body.result;
  return {
    content: isRecord(content) ? content : {},
    isError: isError !== false,
    flaws: [
      ...(isRecord(json) && body.tool === tool && typeof isError === 'boolean' && body.activationId === activation && isRecord(content)
        ? []
        : [`no answer to a JSON call: ${status} ${JSON.stringify(json)?.slice(0, 200)}`]),
      ...(isError === false && status !== 200 ? [`HTTP ${status} for a success`] : []),
    ],
  };
}

function ofMcp(tool: string, { json, status }: Answered): Unwrapped {
  const result: Fields = isRecord(json) && isRecord(json.result) ? json.result : {};
  const { isError, structuredContent: structured, content: parts } = result;
  const text = Array.isArray(parts) && isRecord(parts[0]) ? parts[0].text : undefined;
  const fits = isRecord(json) && json.jsonrpc === '2.0' && json.id === tool && status === 200 && typeof isError === 'boolean';
  const content = isError === true && isRecord(structured) ? structured.error : structured;
  return {
    content: isRecord(content) ? content : {},
    isError: isError !== false,
    flaws: [
      ...(fits && isRecord(content) ? [] : [`no answer to tools/call: ${status} ${JSON.stringify(json)?.slice(0, 200)}`]),
      ...(text === JSON.stringify(structured) ? [] : ['the text is not the structured content']),
    ],
  };
}

function headerFlaws({ headers }: Answered, { retryAfterMs }: Fields): readonly string[] {
  const wanted = typeof retryAfterMs === 'number' ? String(Math.ceil(retryAfterMs / 1000)) : undefined;
  const said = headers['retry-after'];
  return said === wanted ? [] : [`the header Retry-After says ${said} where the error says ${retryAfterMs} ms`];
}

function errorFlaws(tool: string, { message, retryable, next }: Fields): readonly string[] {
  return [
    ...(typeof message === 'string' && message.startsWith(`${tool}: `) ? [] : [`the message ${JSON.stringify(message)} names no tool`]),
    ...(typeof retryable === 'boolean' ? [] : ['it does not say whether it may be repeated']),
    ...nextOf({ next }).flatMap(callable),
  ];
}

/** A call that leads out. */
export interface Next {
  readonly tool: string;
  readonly arguments: object;
}

export function nextOf({ next }: Fields): readonly Next[] {
  if (!Array.isArray(next)) return [];
  return next.map((call) => (isRecord(call) && isRecord(call.arguments) ? { tool: String(call.tool), arguments: call.arguments } : noCall));
}

const noCall: Next = { tool: 'none', arguments: {} };

function callable({ tool, arguments: given }: Next): readonly string[] {
  if (!everyTool.names.includes(tool)) return [`next names ${tool}, which there is not`];
  try {
    argumentsOf(tool, given);
    return [];
  } catch (failure) {
    return [`next cannot be called: ${failure instanceof Error ? failure.message : String(failure)}`];
  }
}
