import type { ServerResponse } from 'node:http';
import { HostError } from '../host-error.ts';
import type { ActivationStore } from './activation-store.ts';

const mostStreams = 64;
const batchSize = 50;
/** A comment this often keeps what lies between from closing a quiet connection, and finds out about clients that are gone. */
const heartbeatMs = 15_000;

export interface StreamQuery {
  /** `fn` or `pkg/fn`; all functions where it is left out. */
  readonly name?: string;
  /** The last activation the client has; those recorded after it are sent first. Only new ones where it is left out. */
  readonly afterId?: string;
}

/**
 * Connections that are told of activations as they are recorded, as server-sent events. Each reads on in the store from where it is, as fast
 * as its client takes it: a slow one holds no records in memory, and none are lost.
 */
export class EventStreams {
  readonly #activations: ActivationStore;
  readonly #open = new Map<ServerResponse, () => void>();

  constructor(activations: ActivationStore) {
    this.#activations = activations;
    activations.onWritten(() => {
      for (const pump of this.#open.values()) pump();
    });
  }

  /** Begins to stream into a response. HostError `too_many_requests` when too many are open. */
  open(response: ServerResponse, { name, afterId }: StreamQuery): void {
    if (this.#open.size >= mostStreams) {
      throw new HostError('too_many_requests', `${mostStreams} clients follow the activations already: end one of them first`);
    }
    let position = this.#activations.position(afterId);
    let isWaiting = false;
    response.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-store', 'x-accel-buffering': 'no' });
    response.write(': activations follow\n\n');
    const pump = (): void => {
      while (!isWaiting && !response.destroyed) {
        const batch = this.#activations.after(position, name, batchSize);
        position = batch.reached;
        for (const { id, text } of batch.records) {
          if (!response.write(`event: activation\nid: ${id}\ndata: ${text}\n\n`)) isWaiting = true;
        }
        if (batch.isLast) return;
      }
    };
    const heartbeat = setInterval(() => response.write(':\n\n'), heartbeatMs).unref();
    response.on('drain', () => {
      isWaiting = false;
      pump();
    });
    response.on('close', () => {
      clearInterval(heartbeat);
      this.#open.delete(response);
    });
    this.#open.set(response, pump);
    pump();
  }

  /** Ends every stream; clients may come again and resume. */
  close(): void {
    for (const response of this.#open.keys()) response.end();
    this.#open.clear();
  }
}
