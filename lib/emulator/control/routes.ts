import { timestamp } from '../calendar.ts';
import { badRequest } from '../errors.ts';
import type { JsonObject } from '../fields.ts';
import type { Birth } from '../store/accounts.ts';
import { outboxEntries } from '../store/effects.ts';
import { type ControlRoute, control } from './control.ts';
import { moveClock, showClock } from './move-clock.ts';
import { populate } from './populate.ts';

const MAX_OUTBOX_ENTRIES = 1000;

/** Everything the emulator offers beside the platform's API. */
export const controlRoutes: readonly ControlRoute[] = [
  control('GET /_emulator/clock', 200, ({ account }) => showClock(account)),
  control('POST /_emulator/clock', 200, ({ account, body }) => moveClock(account, body)),

  control('GET /_emulator/speed', 200, ({ account }) => ({ speed: account.speed })),
  control('POST /_emulator/speed', 200, ({ account, body }) => {
    if (typeof body.speed !== 'number' || !Number.isFinite(body.speed) || body.speed < 0) {
      throw badRequest('speed must be a number from 0: it divides the duration of actions, 1 is real, 0 completes them at once.');
    }
    account.speed = body.speed;
    return { speed: account.speed };
  }),

  control('POST /_emulator/accounts', 201, ({ accounts, body }) => ({ token: accounts.create(toBirth(body)) })),
  control('POST /_emulator/fork', 201, ({ accounts, token }) => ({ token: accounts.fork(token) })),
  control('POST /_emulator/reset', 204, ({ accounts, token, body }) => {
    accounts.reset(token, toBirth(body));
    return undefined;
  }),
  control('POST /_emulator/populate', 201, ({ account, body }) => populate(account, body)),

  control('GET /_emulator/outbox', 200, ({ account }) => ({
    entries: account
      .read(() => outboxEntries(account, MAX_OUTBOX_ENTRIES))
      .map(({ id, atMs, kind, state, data }) => ({ id, at: timestamp(atMs), kind, state, ...data })),
  })),
  control('GET /_emulator/requests', 200, ({ tenant }) => ({
    requests: tenant.log.all().map(({ atMs, ...request }) => ({ at: timestamp(atMs), ...request })),
  })),
  control('DELETE /_emulator/requests', 204, ({ tenant }) => {
    tenant.log.clear();
    return undefined;
  }),

  control('GET /_emulator/faults', 200, ({ account }) => ({ faults: account.faults.all() })),
  control('POST /_emulator/faults', 201, ({ account, body }) => ({ fault: account.faults.add(body) })),
  control('DELETE /_emulator/faults', 204, ({ account, query }) => {
    const id = query.get('id');
    account.faults.clear(id === null ? undefined : Number(id));
    return undefined;
  }),
];

function toBirth(body: JsonObject): Birth {
  const { seed = 'default', dropletLimit, status = 'active' } = body;
  if (seed !== 'default' && seed !== 'empty') {
    throw badRequest('seed must be "default" or "empty".');
  }
  if (status !== 'active' && status !== 'warning' && status !== 'locked') {
    throw badRequest('status must be "active", "warning" or "locked".');
  }
  if (dropletLimit === undefined) {
    return { seed, status };
  }
  if (typeof dropletLimit !== 'number' || !Number.isSafeInteger(dropletLimit) || dropletLimit < 0) {
    throw badRequest('dropletLimit must be an integer from 0.');
  }
  return { seed, status, dropletLimit };
}
