import type { Arguments, Tool } from '../catalogue/tool.ts';
import { type PlatformRequest, platformCalls, toRequest } from '../client/request.ts';
import type { Result } from '../client/unwrap.ts';
import { withoutSecrets } from './redact.ts';

/** Thrown in place of sending a change. */
class Intercepted extends Error {
  readonly request: PlatformRequest;

  constructor(request: PlatformRequest) {
    super(`${request.method} ${request.path} is not sent`);
    this.name = 'Intercepted';
    this.request = request;
  }
}

/**
 * The change that a call would ask of the platform. A tool that has to read before it knows makes these reads, and nothing else is sent; undefined where
 * it then finds nothing to change.
 *
 * @throws what the reads fail with
 */
export async function planned(
  tool: Tool,
  input: Arguments,
  read: (request: PlatformRequest) => Promise<unknown>,
): Promise<PlatformRequest | undefined> {
  if (!tool.run) return toRequest(tool, input);
  const readOrStop = async (request: PlatformRequest) => {
    if (request.method !== 'GET') throw new Intercepted(request);
    return read(request);
  };
  try {
    await tool.run(input, platformCalls(tool, readOrStop));
    return undefined;
  } catch (failure) {
    if (failure instanceof Intercepted) return failure.request;
    throw failure;
  }
}

/** What a dry run answers: the request as it would be sent, but for credentials and secrets. */
export function dryRunResult(tool: Tool, request: PlatformRequest | undefined): Result {
  return { dryRun: true, request: request ? shownRequest(tool, request) : null };
}

/** A request as it may be shown: without credentials and secrets. */
export function shownRequest(tool: Tool, { method, path, body }: PlatformRequest): Result {
  const [pathname = '', query] = path.split('?');
  return {
    method,
    path: pathname,
    ...(query !== undefined && { query: Object.fromEntries(new URLSearchParams(query)) }),
    ...(body !== undefined && { body: withoutSecrets(body, tool.secrets) }),
  };
}
