import { readingRulesOf } from '../catalogue/additions.ts';
import type { Catalogue } from '../catalogue/catalogue.ts';
import { readArguments } from '../catalogue/read-arguments.ts';
import { type Arguments, hintsOf, pathArguments, type Tool } from '../catalogue/tool.ts';
import { fitResult } from '../client/fit-result.ts';
import { followed } from '../client/follow.ts';
import { platformCalls, toRequest } from '../client/request.ts';
import { type Result, unwrap } from '../client/unwrap.ts';
import { type ErrorCode, type NextCall, ToolError } from '../errors.ts';
import type { Budget } from '../functions/budget.ts';
import type { Settings } from '../functions/settings.ts';
import type { Caller } from './callers.ts';
import type { ClientInput } from './client-input.ts';
import type { Subject } from './consent/consent.ts';
import { needsConsent } from './consent/needs-consent.ts';
import { dryRunResult, planned } from './dry-run.ts';
import type { Note } from './notes.ts';
import { takeTurn } from './rate.ts';
import { recordable } from './redact.ts';
import type { Selection } from './selection.ts';
import { reader, type Send, sender } from './sending.ts';
import type { Store } from './store/store.ts';
import type { Task } from './tasks/task.ts';

/** A call as a protocol understood it. */
export interface Call {
  readonly tool: string;
  readonly arguments: unknown;
  /** The arguments came as text, out of a query or a form. */
  readonly text?: boolean;
  /** A model decided on it in a conversation. Absent: a program did, and that it was written to do so is the consent. */
  readonly byModel?: boolean;
  /** A key of the caller's choice: with the same key a change is made once. */
  readonly idempotencyKey?: string;
  /** What its result may take as JSON; absent: whatever it takes. */
  readonly maxBytes?: number;
}

/** What came of a call that may be answered with a task: that, or the result. */
export type Answer = { readonly result: Result } | { readonly task: Task };

/** Everything around a call that is not the call. */
export interface CallScope {
  readonly catalogue: Catalogue;
  readonly settings: Settings;
  readonly caller: Caller;
  readonly selection: Selection;
  readonly budget: Budget;
  /** What the client may be asked in the middle of the call, and has answered. */
  readonly input: ClientInput;
  /** What this instance keeps to itself. */
  readonly memory: Store;
  /** The trace that the request belongs to, as `traceparent` has it. */
  readonly traceparent?: string;
  readonly note: Note;
}

/**
 * Carries a call out: finds the tool, reads the arguments, sends the request or the few that the tool needs, takes the result out of the reply.
 *
 * @throws ToolError with the calls that lead out of it, where the tool knows some.
 */
export async function perform(call: Call, scope: CallScope): Promise<Result> {
  const done = await carriedOut(call, scope);
  return fitted(done, done.wait ? await waitedFor(done, scope) : done.result, call, scope);
}

/**
 * Carries a call out for a client that comes back for what takes its time: what it set going becomes a task, unless the call said `Wait: false`.
 *
 * @throws what `perform` throws
 */
export async function performOrStart(call: Call, scope: CallScope): Promise<Answer> {
  const done = await carriedOut(call, scope);
  const task = done.wait === false ? undefined : await startedBy(done);
  return task ? { task } : { result: fitted(done, done.result, call, scope) };
}

/** A call that was carried out, and whether it is to be answered once what it set going is over. */
interface Done {
  readonly tool: Tool;
  readonly input: Arguments;
  readonly result: Result;
  readonly wait?: boolean;
}

async function carriedOut(call: Call, scope: CallScope): Promise<Done> {
  await takeTurn(scope.caller, scope);
  const tool = scope.catalogue.tool(call.tool);
  scope.selection.require(tool);
  const read = readCall(tool, call, scope.catalogue);
  const { input, dryRun } = read;
  scope.note({ arguments: recordable(input, tool.secrets), decision: dryRun ? 'dry_run' : 'allowed' });
  try {
    const result = await resultOf(tool, read, call, scope);
    return { tool, input, result, wait: dryRun ? false : read.wait };
  } catch (failure) {
    throw failure instanceof ToolError ? failure.withNext(open(waysOut(tool, input, failure), scope)) : failure;
  }
}

/** What would be sent, or what came of sending it, once what stands before that is settled. */
async function resultOf(tool: Tool, { dryRun, confirm, input }: ReadCall, call: Call, scope: CallScope): Promise<Result> {
  if (dryRun) return dryRunResult(tool, await planned(tool, input, lookingFirst(tool, scope)));
  const carryOut = async () => {
    const send = sender(tool, scope);
    const reply = await (tool.run ? tool.run(input, platformCalls(tool, send)) : send(toRequest(tool, input)));
    return unwrap(tool, input, reply);
  };
  const { byModel = false, idempotencyKey } = call;
  if (hintsOf(tool).readOnly || (!needsConsent(tool, call, scope.settings) && idempotencyKey === undefined)) return carryOut();
  const { guarded } = await import('./guarded.ts');
  return guarded({ tool, input, confirm, byModel, idempotencyKey }, scope, { carryOut, find: () => subjectOf(tool, input, scope) });
}

/** The arguments that are the tool's own, and those that say how it is to be called. */
interface ReadCall {
  readonly input: Arguments;
  readonly dryRun: boolean;
  readonly wait?: boolean;
  readonly confirm?: string;
}

function readCall(tool: Tool, call: Call, catalogue: Catalogue): ReadCall {
  const { DryRun, Wait, Confirm, ...input } = readArguments(tool.name, catalogue.schemaOf(tool.name), call.arguments, {
    path: pathArguments(tool),
    text: call.text ?? false,
    rules: readingRulesOf(tool),
  });
  return {
    input,
    dryRun: DryRun === true,
    ...(typeof Wait === 'boolean' && { wait: Wait }),
    ...(typeof Confirm === 'string' && { confirm: Confirm }),
  };
}

/** Kept back from waiting, to answer in. */
const afterWaitingMs = 2000;

/** The result once what it set going is over, or when there is no more time to wait. */
function waitedFor({ tool, input, result }: Done, scope: CallScope): Promise<Result> {
  const { send, remainingMs } = reader(tool, scope, scope.budget.remainingMs() - afterWaitingMs);
  return followed(tool, input, result, { read: (path) => send({ method: 'GET', path }), remainingMs });
}

async function startedBy({ tool, input, result }: Done): Promise<Task | undefined> {
  if (!tool.follow) return undefined;
  const { trailOf } = await import('../client/trail.ts');
  const trail = trailOf(tool, input, result);
  return trail && { tool: tool.name, trail, startedAt: Date.now() };
}

function fitted({ tool, input }: Done, result: Result, { maxBytes }: Call, { catalogue }: CallScope): Result {
  if (maxBytes === undefined) return result;
  const takes = Object.keys(catalogue.schemaOf(tool.name).properties ?? {});
  return fitResult(result, maxBytes, { tool: tool.name, input, takes });
}

/** The longest that is looked around before a change. */
const longestLookMs = 5000;

function lookingFirst(tool: Tool, scope: CallScope): Send {
  return reader(tool, scope, longestLookMs).send;
}

/** What a person is asked about: the change that would be made, and what it would be made to. */
async function subjectOf(tool: Tool, input: Arguments, scope: CallScope): Promise<Subject> {
  const read = lookingFirst(tool, scope);
  const request = await planned(tool, input, read);
  const { lookUp } = await import('./consent/look-up.ts');
  return { request, facts: request && (await lookUp(tool, request, (path) => read({ method: 'GET', path }))) };
}

/** What leaves open what became of a write, or what state it met. */
const showsState: ReadonlySet<ErrorCode> = new Set(['outcome_unknown', 'platform_error', 'conflict', 'rejected']);

/** What the tool names for this failure: the recovery whose words match, else the reads that show how things stand. */
function waysOut(tool: Tool, input: Arguments, failure: ToolError): readonly NextCall[] {
  const { platform } = failure.details;
  const recovery = platform && tool.recover?.find(({ when }) => when.test(`${platform.status} ${platform.message ?? ''}`));
  if (recovery) return recovery.next(input);
  return tool.verify && showsState.has(failure.code) ? [tool.verify(input)].flat() : [];
}

/** Without the calls that the caller may not make. One that this function does not have is left in: the router that called it may. */
function open(next: readonly NextCall[], { catalogue, selection }: CallScope): readonly NextCall[] {
  return next.filter(({ tool }) => !catalogue.names.includes(tool) || selection.admits(catalogue.tool(tool)));
}
