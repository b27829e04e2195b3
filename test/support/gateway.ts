import { renderListing } from '../../lib/catalogue/listing.ts';
import { renderSearchIndex } from '../../lib/catalogue/search/render-index.ts';
import type { Context } from '../../lib/functions/context.ts';
import type { Event } from '../../lib/functions/event.ts';
import type { FunctionResponse } from '../../lib/functions/response.ts';
import { type Service, serve } from '../../lib/protocols/serve.ts';
import { toolsets } from '../../packages/gateway/router/tools.ts';

const listing = renderListing(toolsets);
const searchIndex = async () => ({ searchIndex: renderSearchIndex(toolsets, listing) });

export interface Sent {
  readonly headers?: Readonly<Record<string, string>>;
  /** Text is sent as it is, anything else as JSON. */
  readonly body?: unknown;
  readonly context?: Context;
}

export interface Answered {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly text: string;
  /** The body, parsed. */
  // biome-ignore lint/suspicious/noExplicitAny: tests look into answers of every shape
  readonly json: any;
}

export type Request = (method: string, path: string, sent?: Sent) => Promise<Answered>;

/** The gateway's handler behind raw web events; the environment stands for the function's settings. */
export function gateway(environment: Service['environment'] = {}, service: Partial<Service> = {}): Request {
  const main = serve({ toolsets, listing, searchIndex, router: true, environment, log: () => {}, ...service });
  return async (method, path, { headers = {}, body, context } = {}) => {
    const [pathname = '', queryString = ''] = path.split('?');
    const text = body === undefined || typeof body === 'string' ? (body ?? '') : JSON.stringify(body);
    const sentHeaders = { authorization: 'Bearer tester', ...(body !== undefined && { 'content-type': 'application/json' }), ...headers };
    const http = { method, path: pathname, queryString, headers: sentHeaders, body: text };
    // A web event is always answered with a response.
    return answered((await main({ http }, context ?? { activationId: 'a'.repeat(32) })) as FunctionResponse);
  };
}

/** The same handler for an event as it is. */
export function handlerOf(environment: Service['environment'] = {}, log: Service['log'] = () => {}) {
  const main = serve({ toolsets, listing, searchIndex, router: true, environment, log });
  // biome-ignore lint/suspicious/noExplicitAny: tests look into answers of every shape
  return (event: Event, context: Context = {}): Promise<any> => main(event, context);
}

function answered({ statusCode, headers = {}, body = '' }: FunctionResponse): Answered {
  const json = headers['content-type'] === 'application/json' ? JSON.parse(body) : undefined;
  return { status: statusCode, headers, text: body, json };
}
