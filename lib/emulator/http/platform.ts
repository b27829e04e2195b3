import { forbidden, functionsElsewhere, tooManyRequests } from '../errors.ts';
import type { JsonObject } from '../fields.ts';
import type { RateStanding } from '../rate-limit.ts';
import type { Body, PlatformRequest, Route } from '../resources/family.ts';
import type { Accounts, Tenant } from '../store/accounts.ts';
import { type Incoming, parseBody, refuseOtherTypes } from './incoming.ts';
import { isBelow } from './mounts.ts';
import type { Reply } from './reply.ts';
import type { Match, Router } from './router.ts';

/** The account of a bearer token; undefined when the token is missing or of no account. */
export function findTenant(accounts: Accounts, authorization: string | undefined): Tenant | undefined {
  const token = bearerToken(authorization);
  return token === undefined ? undefined : accounts.find(token);
}

export function bearerToken(authorization: string | undefined): string | undefined {
  return authorization !== undefined && /^bearer /i.test(authorization) ? authorization.slice(7).trim() : undefined;
}

/** Answers a request of the platform's API within its account. Errors: whatever the operation refuses, 404, 405 and 429. */
export function answer(
  incoming: Incoming,
  tenant: Tenant,
  routes: Router<Route>,
  standing: RateStanding,
  parsed: (body: JsonObject) => void,
): Reply {
  if (standing.retryAfterSeconds !== undefined) {
    throw tooManyRequests(standing.retryAfterSeconds);
  }
  if (isBelow(incoming.path, '/v2/functions')) {
    throw functionsElsewhere();
  }
  const match = routes(incoming.method, incoming.path);
  refuseOtherTypes(incoming);
  const body = parseBody(incoming.bodyText);
  parsed(body);
  const request: PlatformRequest = {
    method: incoming.method,
    path: incoming.path,
    params: match.params,
    query: incoming.queryText === '' ? NO_QUERY : new URLSearchParams(incoming.queryText),
    body,
    bodyText: incoming.bodyText,
    origin: `http://${incoming.host}`,
  };
  return toReply(match, perform(match, request, tenant));
}

const NO_QUERY = new URLSearchParams();

function perform({ route }: Match<Route>, request: PlatformRequest, { account, limiter }: Tenant): Body {
  if (route.method !== 'GET') {
    return account.write(() => {
      if (account.setting('status') === 'locked') {
        throw forbidden();
      }
      const body = route.handle(request, account);
      account.settleNow();
      return body;
    });
  }
  return account.read(() => {
    const waitSeconds = route.limit === 'key-lists' ? limiter.takeKeyList(account.nowMs) : undefined;
    if (waitSeconds !== undefined) {
      throw tooManyRequests(waitSeconds);
    }
    return route.handle(request, account);
  });
}

function toReply({ route }: Match<Route>, body: Body): Reply {
  const written = typeof body === 'object' && !Buffer.isBuffer(body) ? JSON.stringify(body) : body;
  return { status: route.status ?? 200, body: written };
}
