import type { HookCall, Verification } from '../../webhooks/hook.ts';
import { CliError } from '../cli-error.ts';
import { findRunning } from '../start/running.ts';

/** Where hooks are served, and the bearer of their caller. */
export interface HooksPlace {
  readonly data: string;
  readonly url?: string;
  readonly token?: string;
}

/** What the function says of a hook to its caller. */
export interface DescribedHook {
  readonly name: string;
  readonly verify: Verification;
  readonly secrets: readonly string[];
  readonly caller: string;
  readonly writes: boolean;
}

export interface HookState {
  readonly name: string;
  readonly ready: boolean;
  readonly missing: readonly string[];
  readonly dedupe: string;
}

export interface ShownDelivery {
  readonly id: string;
  readonly at: string;
  readonly status: string;
  readonly durationMs: number;
  readonly replay?: true;
  readonly reason?: string;
  readonly calls: readonly (Pick<HookCall, 'tool'> & { readonly isError: boolean; readonly code?: string; readonly message?: string })[];
}

/** The function of the webhooks, as its caller speaks to it. */
export interface HooksClient {
  readonly url: string;
  /** The list that the function answers under a name. */
  list(path: string, name: string): Promise<readonly unknown[]>;
  post(
    path: string,
    headers?: Readonly<Record<string, string>>,
    body?: string,
  ): Promise<{ readonly status: number; readonly text: string }>;
}

/** Where `npm start` serves it. */
const localUrl = 'http://127.0.0.1:3233/hooks';

/**
 * Finds the function: where `--url` says, else that of the installation which runs on the data directory.
 *
 * @throws CliError where none runs, or no bearer is known
 */
export async function hooksClient({ data, url, token }: HooksPlace): Promise<HooksClient> {
  const running = url === undefined ? await findRunning(data) : undefined;
  const base = (url ?? running?.ready.hooks)?.replace(/\/+$/, '');
  if (base === undefined) throw new CliError(`nothing runs on ${data}; start it with \`npm start\`, or name the function with --url`);
  const bearer = token ?? process.env.DECKHAND_TOKEN ?? running?.ready.token;
  const authorization = bearer === undefined ? {} : { authorization: `Bearer ${bearer}` };
  const request = async (path: string, init: RequestInit): Promise<Response> => {
    try {
      return await fetch(`${base}${path}`, init);
    } catch (failure) {
      throw new CliError(`${base} does not answer: ${failure instanceof Error ? failure.message : failure}`, { cause: failure });
    }
  };
  return {
    url: base,
    async list(path, name) {
      const answer = await request(path, { headers: authorization });
      const text = await answer.text();
      if (!answer.ok) throw new CliError(`${base}${path} answered ${answer.status}: ${messageIn(text)}`);
      const listed = memberOf(text, name);
      if (Array.isArray(listed)) return listed;
      throw new CliError(`${base} is not the function of the webhooks: ${path} answered no ${name}; name it as in --url ${localUrl}`);
    },
    async post(path, headers, body = '') {
      // What is signed shows no bearer of ours; what is not shows it.
      const answer = await request(path, { method: 'POST', headers: headers ?? authorization, body });
      const text = await answer.text();
      if (answer.ok || answer.status === 503) return { status: answer.status, text };
      throw new CliError(`the function answered ${answer.status}: ${messageIn(text)}`);
    },
  };
}

/** What a refusal says: the function's own has a record of the failure, the host's a sentence. */
function messageIn(text: string): string {
  const error = memberOf(text, 'error');
  const message = typeof error === 'object' && error !== null && 'message' in error ? error.message : error;
  return typeof message === 'string' ? message : text.slice(0, 200);
}

function memberOf(text: string, name: string): unknown {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? Object.entries(value).find(([key]) => key === name)?.[1] : undefined;
  } catch {
    return undefined;
  }
}
