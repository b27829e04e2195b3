import type { IncomingMessage, ServerResponse } from 'node:http';
import type { ReceivedRequest } from '../activations/activation-event.ts';

/** One request with its response, and what was read from its first line once. */
export interface Exchange extends ReceivedRequest {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly requestId: string;
  /** What follows the `?`, as it came; `''` for none, and for the bare `?` that some clients append. */
  readonly query: string;
}

/** Calls `onGone` when the client closes the connection before its answer was sent. */
export function onClientGone({ response }: Exchange, onGone: () => void): void {
  response.once('close', () => {
    if (!response.writableFinished) onGone();
  });
}
