import { forbidden, unauthorized } from '../errors.ts';
import type { JsonObject } from '../fields.ts';
import { originHost } from '../http/hosts.ts';
import { type Incoming, parseBody } from '../http/incoming.ts';
import { bearerToken } from '../http/platform.ts';
import type { Reply } from '../http/reply.ts';
import type { Routed, Router } from '../http/router.ts';
import { type AccountControls, accountControls, type ControlState } from './account-controls.ts';

/** A request to the emulator itself, on the account of its bearer, or on the first account when it shows none. */
export interface ControlRequest {
  readonly params: Readonly<Record<string, string>>;
  readonly query: URLSearchParams;
  readonly body: JsonObject;
  readonly controls: AccountControls;
  readonly state: ControlState;
}

export interface ControlRoute extends Routed {
  readonly status: number;
  readonly handle: (request: ControlRequest) => object | undefined | Promise<object | undefined>;
}

export function control(pattern: string, status: number, handle: ControlRoute['handle']): ControlRoute {
  const [method, path] = pattern.split(' ');
  return { method: method ?? 'GET', path: path ?? '/', status, handle };
}

interface ControlParts extends ControlState {
  readonly control: Router<ControlRoute>;
  readonly hostAllowed: (host: string | undefined) => boolean;
}

/**
 * Answers under /_emulator. No token is asked for, the emulator listens on loopback alone; pages of other origins are refused,
 * since a browser would let them post here.
 */
export async function controlReply(parts: ControlParts, incoming: Incoming): Promise<Reply> {
  if (incoming.origin !== undefined && !parts.hostAllowed(originHost(incoming.origin))) {
    throw forbidden(`The origin ${JSON.stringify(incoming.origin)} may not control the emulator.`);
  }
  const { route, params } = parts.control(incoming.method, incoming.path);
  const token = bearerToken(incoming.authorization) ?? parts.accounts.firstToken;
  if (parts.accounts.find(token) === undefined) {
    throw unauthorized();
  }
  const query = new URLSearchParams(incoming.queryText);
  const controls = accountControls(parts, token);
  const body = await route.handle({ params, query, body: parseBody(incoming.bodyText), controls, state: parts });
  return { status: body === undefined ? 204 : route.status, body: body === undefined ? undefined : JSON.stringify(body) };
}
