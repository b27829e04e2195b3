import { openStore } from '../access/store/open-store.ts';
import type { Store } from '../access/store/store.ts';
import type { Catalogue } from '../catalogue/catalogue.ts';
import { ToolError } from '../errors.ts';
import type { Budget } from '../functions/budget.ts';
import type { Context } from '../functions/context.ts';
import type { Settings } from '../functions/settings.ts';
import type { Audit } from './audit.ts';
import { type DeliveryLog, deliveryLog } from './delivery-log.ts';
import type { LateEvaluate } from './expressions/late-evaluator.ts';
import type { Hook } from './hook.ts';

/** One invocation as the hooks see it. */
export interface Served {
  readonly hooks: readonly Hook[];
  readonly catalogue: Catalogue;
  readonly settings: Settings;
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly context: Context;
  readonly budget: Budget;
  /** What this instance keeps to itself from one invocation to the next. */
  readonly memory: Store;
  /** Made with the first delivery that needs it. */
  readonly evaluate: LateEvaluate;
  readonly audit: Audit;
}

/** What the instances share, or else this instance's own memory. */
export async function storeOf({ settings: { kvUrl }, memory, budget }: Served): Promise<Store> {
  return kvUrl === undefined ? memory : openStore(kvUrl, budget.remainingMs);
}

/** The deliveries that are remembered. */
export async function logOf(served: Served): Promise<DeliveryLog> {
  const { settings } = served;
  const secret = settings.sealKey ?? settings.own?.token;
  if (secret === undefined) throw new ToolError('not_configured', 'without PLATFORM_API_TOKEN no hook acts, and no delivery is kept');
  return deliveryLog(await storeOf(served), secret);
}

/** The hook of a name; ToolError `not_found`. */
export function hookNamed(name: string, { hooks }: Served): Hook {
  const found = hooks.find((hook) => hook.name === name);
  if (found) return found;
  throw new ToolError('not_found', `there is no hook ${JSON.stringify(name.slice(0, 80))}`);
}
