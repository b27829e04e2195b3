import { forbidden, unauthorized } from '../errors.ts';
import type { JsonObject } from '../fields.ts';
import { originHost } from '../http/hosts.ts';
import { type Incoming, parseBody } from '../http/incoming.ts';
import { bearerToken } from '../http/platform.ts';
import type { Reply } from '../http/reply.ts';
import type { Routed, Router } from '../http/router.ts';
import type { Account } from '../store/account.ts';
import type { Accounts, Tenant } from '../store/accounts.ts';

/** A request to the emulator itself, on the account of its bearer, or on the first account when it shows none. */
export interface ControlRequest {
  readonly body: JsonObject;
  readonly query: URLSearchParams;
  readonly token: string;
  readonly tenant: Tenant;
  readonly account: Account;
  readonly accounts: Accounts;
}

export interface ControlRoute extends Routed {
  readonly status: number;
  readonly handle: (request: ControlRequest) => object | undefined | Promise<object | undefined>;
}

export function control(pattern: string, status: number, handle: ControlRoute['handle']): ControlRoute {
  const [method, path] = pattern.split(' ');
  return { method: method ?? 'GET', path: path ?? '/', status, handle };
}

interface ControlParts {
  readonly accounts: Accounts;
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
  const { route } = parts.control(incoming.method, incoming.path);
  const token = bearerToken(incoming.authorization) ?? parts.accounts.firstToken;
  const tenant = parts.accounts.find(token);
  if (tenant === undefined) {
    throw unauthorized();
  }
  const query = new URLSearchParams(incoming.queryText);
  const body = await route.handle({
    body: parseBody(incoming.bodyText),
    query,
    token,
    tenant,
    account: tenant.account,
    accounts: parts.accounts,
  });
  return { status: body === undefined ? 204 : route.status, body: body === undefined ? undefined : JSON.stringify(body) };
}
