import { expect } from 'vitest';
import type { Answer, Platform } from '../emulator/platform.ts';
import { operationOf, operations, validateReply, validateRequest } from '../support/openapi.ts';

/** A client that holds every request and reply to the platform's document, and remembers which operations it has sent. */
export interface Driver {
  /** Sends a request that the document knows; it has to succeed. */
  readonly drive: (method: string, path: string, body?: unknown) => Promise<Answer>;
  /** Sends a request, of the document's form or not, that has to be refused with this status. */
  readonly refuse: (method: string, path: string, status: number, body?: unknown) => Promise<Answer>;
  /** Sends a request in the name of nobody, which is what an operation that takes nothing can be refused for. */
  readonly refuseStranger: (method: string, path: string, body?: unknown) => Promise<Answer>;
  /** The operations under these paths that never succeeded, or were never refused. */
  readonly missed: (served: RegExp) => readonly string[];
}

export function driver(platform: Platform): Driver {
  const driven = new Set<string>();
  const refused = new Set<string>();
  async function refuse(client: Platform, method: string, path: string, status: number, body?: unknown): Promise<Answer> {
    const [bare = path] = path.split('?');
    const answer = await client.call(method, path, body);
    expect([answer.status, validateReply(method, bare, answer.status, answer.body)], `${method} ${path}`).toEqual([status, []]);
    expect(answer.body).toMatchObject({ id: expect.any(String), message: expect.any(String) });
    refused.add(operationOf(method, bare) ?? '');
    return answer;
  }
  return {
    drive: async (method, path, body) => {
      const [bare = path, query = ''] = path.split('?');
      expect(validateRequest(method, bare, body, Object.fromEntries(new URLSearchParams(query)))).toEqual([]);
      const answer = await platform.call(method, path, body);
      expect(validateReply(method, bare, answer.status, answer.body)).toEqual([]);
      expect(answer.status, JSON.stringify(answer.body)).toBeLessThan(300);
      driven.add(operationOf(method, bare) ?? '');
      return answer;
    },
    refuse: (...request) => refuse(platform, ...request),
    refuseStranger: (method, path, body) => refuse(platform.as('dh_stranger'), method, path, 401, body),
    missed: (served) => operations().filter((name) => served.test(name) && !(driven.has(name) && refused.has(name))),
  };
}
