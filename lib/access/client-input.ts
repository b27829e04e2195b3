import { isRecord } from '../catalogue/is-record.ts';

/**
 * What the client of a call may be asked while it is carried out, and what it answered.
 *
 * Nothing waits for an answer, since every request is an invocation of its own: a call that lacks one throws `InputRequired`; the client puts the
 * questions to its user and sends the same call again, with the answers and with the state it was handed. So a call is carried out from its start each
 * time, and must change nothing before it has what it needs (MCP 2026-07-28, basic/patterns/mrtr).
 */
export interface ClientInput {
  /** Whether the client can show its user a form; false wherever it cannot be asked at all, as in older revisions and outside of MCP. */
  readonly canElicit: boolean;
  /** What it answered, under the names of the questions. The client's word: not checked against what was asked for. */
  readonly responses: Readonly<Record<string, unknown>>;
  /** The state as it came back. Anybody can send any: believe nothing but what was sealed. */
  readonly state?: string;
}

/** A client that cannot be asked. */
export const noInput: ClientInput = { canElicit: false, responses: {} };

/** One question to a client. The product asks by form alone; sampling and roots are deprecated, and here for method tables that want them. */
export interface InputRequest {
  readonly method: 'elicitation/create' | 'sampling/createMessage' | 'roots/list';
  readonly params: Readonly<Record<string, unknown>>;
}

/** Questions under the names that their answers come back under. */
export type InputRequests = Readonly<Record<string, InputRequest>>;

/** Thrown by a call that cannot go on without answers. Only where the client declared that it can give them. */
export class InputRequired extends Error {
  readonly requests: InputRequests;
  /** Comes back with the answers. It passes through the client: seal what must not be read or changed. */
  readonly state?: string;

  constructor(requests: InputRequests, state?: string) {
    super(`the client is asked for ${Object.keys(requests).join(', ')}`);
    this.name = 'InputRequired';
    this.requests = requests;
    this.state = state;
  }
}

/** Thrown for a state that was not handed out, was changed, or belongs to another call: an error of the protocol, not of the tool. */
export class StateRefused extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'StateRefused';
  }
}

/** The fields of a form, as far as MCP has them: a flat object of texts, numbers, booleans and choices. */
export interface FormSchema {
  readonly type: 'object';
  readonly properties: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
  readonly required?: readonly string[];
}

/** The question that shows a form with a text above it (MCP 2026-07-28, client/elicitation, form mode). */
export function formRequest(message: string, requestedSchema: FormSchema): InputRequest {
  return { method: 'elicitation/create', params: { mode: 'form', message, requestedSchema } };
}

/** What became of a form: its fields, or that the user said no, or closed it without a choice. */
export type FormAnswer =
  | { readonly action: 'accept'; readonly content: Readonly<Record<string, unknown>> }
  | { readonly action: 'decline' | 'cancel' };

/** The answer to the form of this name; undefined where there is none that can be read, so that it has to be asked for. */
export function formAnswer({ responses }: ClientInput, name: string): FormAnswer | undefined {
  const answer = Object.hasOwn(responses, name) ? responses[name] : undefined;
  if (!isRecord(answer)) return undefined;
  if (answer.action === 'decline' || answer.action === 'cancel') return { action: answer.action };
  return answer.action === 'accept' && isRecord(answer.content) ? { action: 'accept', content: answer.content } : undefined;
}
