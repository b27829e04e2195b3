import { PlatformError } from '../errors.ts';
import { integerId } from '../fields.ts';
import { type AccountControls, checkedSpeed, newAccount } from './account-controls.ts';
import { type ControlRoute, control } from './control.ts';
import { refuseUnknownKeys } from './known-keys.ts';
import { checkedSeed } from './metric-controls.ts';
import { parseClockMove, writtenMoment } from './move-clock.ts';
import { entryId } from './outbox-controls.ts';
import { parseBirth } from './parse-birth.ts';
import { parseFault } from './parse-fault.ts';
import type { ScriptDescription } from './parse-script.ts';
import { parsePopulateOrder } from './populate/populate.ts';
import { checkedName } from './snapshot-controls.ts';

/** Everything the emulator offers beside the platform's API: each route has an account's controls do what its body says. */
export const controlRoutes: readonly ControlRoute[] = [
  control('GET /_emulator/clock', 200, ({ controls }) => shownClock(controls)),
  control('POST /_emulator/clock', 200, async ({ controls, body }) => {
    await controls.clock.move(parseClockMove(body));
    return shownClock(controls);
  }),

  control('GET /_emulator/speed', 200, ({ controls }) => ({ speed: controls.speed() })),
  control('POST /_emulator/speed', 200, ({ controls, body }) => {
    refuseUnknownKeys('speed', body, ['speed']);
    controls.setSpeed(checkedSpeed(body.speed));
    return { speed: controls.speed() };
  }),

  control('POST /_emulator/accounts', 201, ({ state, body }) => ({ token: newAccount(state, parseBirth(body)).token })),
  control('POST /_emulator/fork', 201, async ({ controls }) => ({ token: (await controls.fork()).token })),
  control('POST /_emulator/reset', 204, ({ controls, body }) => controls.reset(parseBirth(body))),
  control('POST /_emulator/populate', 201, async ({ controls, body }) => ({
    populated: await controls.populate(parsePopulateOrder(body)),
  })),

  control('GET /_emulator/snapshots', 200, ({ controls }) => ({ snapshots: controls.snapshots.list() })),
  control('POST /_emulator/snapshots', 201, async ({ controls, body }) => {
    refuseUnknownKeys('snapshot', body, ['name']);
    return { snapshot: await controls.snapshots.save(checkedName(body.name)) };
  }),
  control('POST /_emulator/snapshots/{name}/restore', 200, async ({ controls, params }) => ({
    snapshot: await controls.snapshots.restore(checkedName(params.name)),
  })),
  control('DELETE /_emulator/snapshots/{name}', 204, ({ controls, params }) => controls.snapshots.delete(checkedName(params.name))),

  control('GET /_emulator/outbox', 200, ({ controls, query }) => ({ entries: controls.outbox(query.get('state') ?? undefined) })),
  control('POST /_emulator/outbox/{id}/redeliver', 200, ({ controls, params }) => ({ entry: controls.redeliver(entryId(params.id)) })),
  control('DELETE /_emulator/outbox/{id}', 204, ({ controls, params }) => {
    controls.forgetNote(entryId(params.id));
    return undefined;
  }),
  control('GET /_emulator/probes', 200, ({ controls, query }) => ({ probes: controls.probes(query.get('check') ?? undefined) })),
  control('GET /_emulator/incidents', 200, ({ controls }) => ({ incidents: controls.incidents() })),
  control('GET /_emulator/requests', 200, ({ controls, query }) => ({ requests: controls.requests(Object.fromEntries(query)) })),
  control('DELETE /_emulator/requests', 204, ({ controls }) => {
    controls.forgetRequests();
    return undefined;
  }),

  control('GET /_emulator/faults', 200, ({ controls }) => ({ faults: controls.faults.all() })),
  control('POST /_emulator/faults', 201, ({ controls, body }) => ({ fault: controls.faults.add(parseFault(body)) })),
  control('DELETE /_emulator/faults', 204, ({ controls, query }) => {
    const id = query.get('id');
    if (id === null) {
      controls.faults.clear();
      return undefined;
    }
    if (!controls.faults.all().some((fault) => String(fault.id) === id)) {
      throw new PlatformError(404, 'not_found', `There is no fault ${JSON.stringify(id)}.`);
    }
    controls.faults.clear(Number(id));
    return undefined;
  }),

  control('GET /_emulator/metrics', 200, ({ controls: { metrics } }) => ({ seed: metrics.seed(), scripts: metrics.scripts() })),
  control('POST /_emulator/metrics', 201, ({ controls, body }) => ({
    // It takes nothing of a description on trust: the type is for those who call it from TypeScript.
    script: controls.metrics.script(body as unknown as ScriptDescription),
  })),
  control('DELETE /_emulator/metrics', 204, ({ controls, query }) => {
    controls.metrics.clear(queryId(query, 'metric script'));
    return undefined;
  }),
  control('POST /_emulator/metrics/seed', 200, ({ controls: { metrics }, body }) => {
    refuseUnknownKeys('seed', body, ['seed']);
    metrics.setSeed(checkedSeed(body.seed));
    return { seed: metrics.seed() };
  }),
  control('GET /_emulator/metrics/value', 200, ({ controls, query }) => {
    const [type, entity, at] = ['type', 'entity', 'at'].map((name) => query.get(name));
    return { value: controls.metrics.value(type ?? '', entity ?? '', at == null ? undefined : writtenMoment(at)) };
  }),
];

/** Errors: 404 for what is no id. */
function queryId(query: URLSearchParams, what: string): number | undefined {
  const text = query.get('id');
  const id = integerId(text ?? undefined);
  if (text !== null && id === undefined) {
    throw new PlatformError(404, 'not_found', `There is no ${what} ${JSON.stringify(text)}.`);
  }
  return id;
}

function shownClock({ clock }: AccountControls): object {
  return { now: clock.now().toISOString(), frozen: clock.isFrozen() };
}
