import type { ServerResponse } from 'node:http';
import { HostError } from '../host-error.ts';
import type { ActivationStore } from './activation-store.ts';

const mostStreams = 64;
const batchSize = 50;
/** A comment this often keeps what lies between from closing a quiet connection, and finds out about clients that are gone. */
const heartbeatMs = 15_000;

interface Follower {
  /** Sends what there is, as far as the client takes it. */
  readonly pump: () => void;
  readonly end: () => void;
}

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
  readonly #open = new Set<Follower>();

  constructor(activations: ActivationStore) {
    this.#activations = activations;
    activations.onWritten(() => {
      for (const { pump } of this.#open) pump();
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
      while (!isWaiting && !response.destroyed && !response.writableEnded) {
        const batch = this.#activations.after(position, name, batchSize);
        position = batch.reached;
        for (const { id, text } of batch.records) {
          if (!response.write(`event: activation\nid: ${id}\ndata: ${text}\n\n`)) isWaiting = true;
        }
        if (batch.isLast) return;
      }
    };
    const heartbeat = setInterval(() => response.write(':\n\n'), heartbeatMs).unref();
    // What a slow client has yet to take keeps the connection open beyond the end.
    const end = (): void => {
      clearInterval(heartbeat);
      response.end();
    };
    const follower = { pump, end };
    response.on('drain', () => {
      isWaiting = false;
      pump();
    });
    response.on('close', () => {
      clearInterval(heartbeat);
      this.#open.delete(follower);
    });
    this.#open.add(follower);
    pump();
  }

  /** Ends every stream; clients may come again and resume. */
  close(): void {
    for (const { end } of this.#open) end();
    this.#open.clear();
  }
}
