import { request } from 'node:http';
import { onTestFinished } from 'vitest';
import type { ActivationRecord } from '../../../lib/host/activations/activation-record.ts';
import type { TestHost } from './test-host.ts';

/** An event as it came over the wire. */
export interface StreamedEvent {
  readonly event: string;
  readonly id: string;
  readonly record: ActivationRecord;
}

/** An open stream of events. `events` grows; reading stops while it is paused. */
export interface EventStream {
  readonly status: number;
  readonly headers: Readonly<Record<string, unknown>>;
  readonly events: readonly StreamedEvent[];
  /** Resolves when nothing more comes. */
  readonly ended: Promise<void>;
  pause(): void;
  resume(): void;
  close(): Promise<void>;
}

/** Opens `GET /_local/events` with the host's credentials; resolves when it is answered. */
export function openEvents(host: TestHost, query = '', headers: Readonly<Record<string, string>> = {}): Promise<EventStream> {
  const authorization = `Basic ${btoa(host.auth)}`;
  return new Promise((resolve, reject) => {
    const outgoing = request(`${host.url}/_local/events${query}`, { headers: { authorization, ...headers }, agent: false }, (response) => {
      const events: StreamedEvent[] = [];
      const closed = new Promise<void>((done) => {
        response.once('close', done);
      });
      let pending = '';
      response.setEncoding('utf8');
      response.on('error', () => {});
      response.on('data', (chunk: string) => {
        const parts = (pending + chunk).split('\n\n');
        pending = parts.pop() ?? '';
        events.push(...parts.filter((part) => !part.startsWith(':')).map(parsed));
      });
      const close = (): Promise<void> => {
        outgoing.destroy();
        return closed;
      };
      onTestFinished(close);
      resolve({
        status: response.statusCode ?? 0,
        headers: response.headers,
        events,
        ended: closed,
        pause: () => response.pause(),
        resume: () => response.resume(),
        close,
      });
    });
    outgoing.on('error', reject);
    outgoing.end();
  });
}

function parsed(part: string): StreamedEvent {
  const fields = Object.fromEntries(part.split('\n').map((line) => line.split(/: (.*)/s).slice(0, 2)));
  return { event: fields.event, id: fields.id, record: JSON.parse(fields.data) };
}
