import type { InitMessage, Reply, RunMessage } from './protocol.ts';

/** A run to be made by an instance. `program` is what to load first, where the instance has loaded nothing yet. */
export interface Run {
  readonly program: Omit<InitMessage, 'cwd' | 'mark'>;
  readonly call: Omit<RunMessage, 'deadline'>;
  readonly timeoutMs: number;
  readonly logBytes: number;
  /** The result is known. The instance may be busy with the run's output for a little longer. */
  onAnswer(end: RunEnd, timing: RunTiming): void;
  /** All output is in; called once, after `onAnswer`. */
  onFinish(lines: readonly string[]): void;
}

/** `startMs` is since the epoch. `initMs` is there where the run had to initialise the instance, and is part of `durationMs`. */
export interface RunTiming {
  readonly startMs: number;
  readonly durationMs: number;
  readonly initMs?: number;
}

/** How a run ended. */
export type RunEnd =
  | { readonly type: 'returned'; readonly result: Readonly<Record<string, unknown>> | null; readonly bytes: number }
  /** The function answered, with more than the platform passes on. */
  | { readonly type: 'too-large'; readonly message: string }
  /** The function's code failed in a way it could not report itself; `loading` where that was before its handler could be called. */
  | { readonly type: 'failed'; readonly message: string; readonly timedOut: boolean; readonly loading?: true }
  /** The instance ended before the run reached the function: another one can make it. */
  | { readonly type: 'not-begun' };

/** Why an instance ended. */
export type EndOfLife =
  /** By itself: it exited, crashed, or closed what connects it to the host. */
  | 'exit'
  | 'timeout'
  | 'memory'
  /** Something on fd 3 that the launcher would not have sent. */
  | 'garbage'
  /** It could not be initialised. */
  | 'init'
  /** The host wanted it gone: idle, replaced, evicted, or the host is closing. */
  | 'retired';

/** What a run is answered when its instance ended under it; texts of the platform (platform reference, limits of functions). */
export function endByDeath(why: EndOfLife, duringInit: boolean, timeoutMs: number): RunEnd {
  const during = duringInit ? ' during initialization' : '';
  const messages: Readonly<Record<EndOfLife, string>> = {
    timeout: `The action exceeded its time limits of ${timeoutMs} milliseconds${during}.`,
    memory: 'The action exhausted its memory and was aborted.',
    garbage: 'The action wrote to file descriptor 3, which belongs to the runtime, and was aborted.',
    retired: `The action was aborted${during}: the host is shutting down.`,
    init: 'The action did not initialize and exited unexpectedly.',
    exit: duringInit
      ? 'The action did not initialize and exited unexpectedly.'
      : 'The action did not produce a valid response and exited unexpectedly.',
  };
  return { type: 'failed', message: messages[why], timedOut: why === 'timeout' };
}

/** What a run that failed says of its failure: the runtime's words, or those of an error that the function answered. */
export function failureOf(end: RunEnd): string | undefined {
  if (end.type === 'failed') return end.message;
  const error = end.type === 'returned' ? end.result?.error : undefined;
  if (typeof error === 'string') return error;
  const message = typeof error === 'object' && error !== null && 'message' in error ? error.message : undefined;
  return typeof message === 'string' ? message : undefined;
}

/** A function that did not load is answered with what to do about it; what a handler answered stays as it is. */
export function advised(end: RunEnd, advice: string | undefined): RunEnd {
  return advice !== undefined && end.type === 'failed' && end.loading ? { ...end, message: `${end.message}\n${advice}` } : end;
}

/** How a run ended by a reply of the launcher. */
export function endByReply(reply: Extract<Reply, { readonly type: 'result' | 'failed' | 'too-large' }>, limitBytes: number): RunEnd {
  if (reply.type === 'result') return { type: 'returned', result: reply.result, bytes: reply.bytes };
  if (reply.type === 'failed') return { type: 'failed', message: reply.message, timedOut: false };
  const message = `The action produced a response that exceeded the allowed length: ${reply.bytes} > ${limitBytes} bytes.`;
  return { type: 'too-large', message };
}
