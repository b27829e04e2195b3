import { printable } from '../../catalogue/printable.ts';
import type { Arguments, Tool } from '../../catalogue/tool.ts';
import type { PlatformRequest } from '../../client/request.ts';
import { type Confirmation, ToolError } from '../../errors.ts';
import type { Settings } from '../../functions/settings.ts';
import type { Caller } from '../callers.ts';
import { type ClientInput, formAnswer, formRequest, InputRequired, StateRefused } from '../client-input.ts';
import { shownRequest } from '../dry-run.ts';
import type { Note } from '../notes.ts';
import { bindingOf, sealSecret } from './binding.ts';
import { type Facts, factsText } from './facts.ts';
import { consentToken, flawOf, type Purpose, refusedToken, validMs } from './token.ts';

/** A call that may need consent. */
export interface Order {
  readonly tool: Tool;
  readonly input: Arguments;
  /** The token that the call shows. */
  readonly confirm?: string;
}

/** Who asks, what the installation demands, and what can be asked of whom. */
export interface ConsentScope {
  readonly settings: Settings;
  readonly caller: Caller;
  readonly input: ClientInput;
  readonly note: Note;
}

/** What a question is made of; found out only when one is asked. */
export interface Subject {
  readonly request: PlatformRequest | undefined;
  readonly facts: Facts | undefined;
}

/**
 * Lets a call pass that a person agreed to. Otherwise has the person asked: by a form, where the client can show one; else by a challenge, whose token
 * comes back as the argument `Confirm`.
 *
 * @returns the token that was shown; undefined where the installation lets such calls pass
 * @throws InputRequired; ToolError `confirmation_required`, or `forbidden` for a token that does not hold and for a person who said no; StateRefused
 */
export async function requireConsent(order: Order, scope: ConsentScope, find: () => Promise<Subject>): Promise<string | undefined> {
  if (scope.input.canElicit) return byForm(order, scope, find);
  const { confirm, tool } = order;
  const { confirmFallback } = scope.settings;
  if (confirm !== undefined && confirmFallback !== 'refuse') {
    const flaw = flawFor(order, scope, 'challenge', confirm);
    if (flaw) throw refusedToken(tool.name, flaw);
    scope.note({ decision: 'confirmed' });
    return confirm;
  }
  if (confirmFallback === 'allow') return undefined;
  if (confirmFallback === 'refuse') {
    throw new ToolError(
      'forbidden',
      `${tool.name}: a person has to agree to this, and this client cannot ask one; use a client that shows forms (MCP elicitation)`,
    );
  }
  scope.note({ decision: 'asked' });
  throw challenge(order, scope, await find());
}

const question = 'confirmation';

const form = {
  type: 'object',
  properties: { confirm: { type: 'boolean', title: 'Do it', default: false } },
  required: ['confirm'],
} as const;

async function byForm(order: Order, scope: ConsentScope, find: () => Promise<Subject>): Promise<string> {
  const answer = formAnswer(scope.input, question);
  const { state } = scope.input;
  const flaw = state === undefined ? 'late' : flawFor(order, scope, 'form', state);
  if (state !== undefined && flaw && flaw !== 'late') throw new StateRefused('requestState was not handed out for this call');
  if (!answer || state === undefined || flaw) {
    scope.note({ decision: 'asked' });
    const message = questionText(order.tool, await find());
    throw new InputRequired({ [question]: formRequest(message, form) }, tokenFor(order, scope, 'form').token);
  }
  if (answer.action === 'accept' && answer.content.confirm === true) {
    scope.note({ decision: 'confirmed' });
    return state;
  }
  scope.note({ decision: 'declined' });
  throw new ToolError(
    'forbidden',
    `${order.tool.name}: the person was asked and did not agree; nothing was changed. Do not ask again unasked`,
  );
}

function challenge(order: Order, scope: ConsentScope, subject: Subject): ToolError {
  const { token, expiresAt } = tokenFor(order, scope, 'challenge');
  const { tool } = order;
  const confirmation: Confirmation = {
    ...(subject.facts && { resource: subject.facts }),
    request: subject.request ? shownRequest(tool, subject.request) : null,
    token,
    expiresAt,
  };
  const how = `Nothing was changed. Put this to the person, and only once they have agreed call ${tool.name} again with the same arguments and Confirm set to error.confirmation.token; it holds until ${expiresAt}`;
  return new ToolError('confirmation_required', `${tool.name}: ${questionText(tool, subject)} ${how}`, { confirmation });
}

/** What a person is asked, in full. */
function questionText(tool: Tool, { request, facts }: Subject): string {
  const what = request ? sentText(tool, request) : 'nothing that the platform has to be asked';
  const subject = facts ? ` It concerns ${factsText(facts)}.` : '';
  return `${tool.title}? ${tool.description}${subject} It will be sent as ${what}.`;
}

/** What fits above a form, and is still read. */
const longestBody = 1500;

/** A request in one line, its body too: what a machine becomes, or who is let in, is said there alone. */
function sentText(tool: Tool, request: PlatformRequest): string {
  const place = `${request.method} ${request.path}`;
  const { body } = shownRequest(tool, request);
  if (body === undefined) return place;
  const text = printable(JSON.stringify(body));
  const cut = text.length - longestBody;
  return `${place} with ${cut > 0 ? `${text.slice(0, longestBody)}... (${cut} more characters)` : text}`;
}

function flawFor({ tool, input }: Order, { caller, settings }: ConsentScope, purpose: Purpose, token: string) {
  return flawOf(token, purpose, bindingOf(caller, tool, input), sealSecret(caller, settings));
}

function tokenFor({ tool, input }: Order, { caller, settings }: ConsentScope, purpose: Purpose) {
  const endsAt = Date.now() + validMs;
  const token = consentToken(purpose, bindingOf(caller, tool, input), sealSecret(caller, settings), endsAt);
  return { token, expiresAt: new Date(endsAt).toISOString() };
}
