import { SECOND_MS } from '../calendar.ts';
import { badRequest, PlatformError } from '../errors.ts';
import { policyTypes } from '../resources/alert-policies/types.ts';
import { nowSecond, SEED_SETTING } from '../resources/metrics/gauges.ts';
import { policyGauge } from '../resources/metrics/policy-gauge.ts';
import { addScript, type Script, scripts } from '../resources/metrics/scripts.ts';
import type { Account } from '../store/account.ts';
import { type Moment, toMomentMs } from './move-clock.ts';
import { parseScript, type ScriptDescription } from './parse-script.ts';

/** What an account's resources are measured to do. Scripts stay with the account: in its file, its snapshots and its forks. */
export interface MetricControls {
  /** Has a measure go as told. Where scripts overlap, the later one counts. Errors: 400. */
  script(description: ScriptDescription): Script;
  /** Oldest first. */
  scripts(): readonly Script[];
  /** Takes away all scripts, or the one with this id. Errors: 404. */
  clear(id?: number): void;
  /** What an alert policy of a type reads of a resource, now or at a moment; null where there is nothing to read. Errors: 400 for an unknown type. */
  value(type: string, entity: string | number, at?: Moment): number | null;
  /** The number that all series follow from which are not scripted. */
  seed(): number;
  /** Errors: 400 for what is no integer from 0. */
  setSeed(seed: number): void;
}

const MAX_SCRIPTS = 500;
const MAX_SEED = 2 ** 31 - 1;

export function metricControls(account: () => Account): MetricControls {
  return {
    script: (description) => {
      const current = account();
      return current.write(() => {
        const { kind, script } = parseScript(current, { ...description });
        if (scripts.total(current) >= MAX_SCRIPTS) {
          throw badRequest(`metrics: an account has at most ${MAX_SCRIPTS} scripts; delete some.`);
        }
        return addScript(current, kind, script);
      });
    },
    scripts: () => {
      const current = account();
      return current.read(() => allScripts(current));
    },
    clear: (id) => {
      const current = account();
      current.write(() => removeScripts(current, id));
    },
    value: (type, entity, at) => {
      if (!policyTypes.has(type)) {
        throw badRequest(`metrics: type must be one of ${[...policyTypes.keys()].join(', ')}.`);
      }
      const current = account();
      return current.read(() => {
        const second = at === undefined ? nowSecond(current) : toMomentMs('at', at) / SECOND_MS;
        return policyGauge(current, type, String(entity))?.at(second) ?? null;
      });
    },
    seed: () => Number(account().setting(SEED_SETTING) ?? 0),
    setSeed: (seed) => {
      const current = account();
      const checked = checkedSeed(seed);
      current.write(() => current.set(SEED_SETTING, String(checked)));
    },
  };
}

/** Errors: 400 for what is no integer from 0 up to what 31 bits hold. */
export function checkedSeed(seed: unknown): number {
  if (typeof seed !== 'number' || !Number.isSafeInteger(seed) || seed < 0 || seed > MAX_SEED) {
    throw badRequest(`metrics: seed must be an integer from 0 to ${MAX_SEED}.`);
  }
  return seed;
}

function allScripts(account: Account): readonly Script[] {
  return scripts
    .source(account)
    .texts(MAX_SCRIPTS, 0)
    .map((text): Script => JSON.parse(text))
    .toReversed();
}

function removeScripts(account: Account, id: number | undefined): void {
  if (id !== undefined && scripts.get(account, id) === undefined) {
    throw new PlatformError(404, 'not_found', `There is no metric script ${JSON.stringify(id)}.`);
  }
  for (const script of id === undefined ? allScripts(account) : [{ id }]) {
    scripts.remove(account, script.id);
  }
}
