import type { Result } from '../client/unwrap.ts';
import { ToolError } from '../errors.ts';
import type { Budget } from '../functions/budget.ts';
import { bindingOf, digest, sealSecret } from './consent/binding.ts';
import { type ConsentScope, type Order, requireConsent, type Subject } from './consent/consent.ts';
import { needsConsent } from './consent/needs-consent.ts';
import { refusedToken, validMs } from './consent/token.ts';
import { once } from './once.ts';
import { openStore } from './store/open-store.ts';
import type { Store } from './store/store.ts';

/** A change that needs consent, or carries a key, or both. */
export interface GuardedOrder extends Order {
  readonly byModel: boolean;
  readonly idempotencyKey?: string;
}

interface Steps {
  readonly carryOut: () => Promise<Result>;
  /** Finds out what a person is to be asked about. */
  readonly find: () => Promise<Subject>;
}

/**
 * Carries a change out once it is agreed to, and once alone where it carries a key. A call whose key has an answer needs no consent anew.
 *
 * @throws what `requireConsent`, `once` and the change itself throw; ToolError `not_configured` for a key where there is nowhere to keep it
 */
export async function guarded(
  order: GuardedOrder,
  scope: ConsentScope & { readonly budget: Budget },
  { carryOut, find }: Steps,
): Promise<Result> {
  const { tool, input, idempotencyKey: key } = order;
  const { kvUrl } = scope.settings;
  const store = kvUrl === undefined ? undefined : await openStore(kvUrl, scope.budget.remainingMs);
  let token: string | undefined;
  const admit = async () => {
    if (needsConsent(tool, order, scope.settings)) token = await requireConsent(order, scope, find);
  };
  const spendAndCarryOut = async () => {
    if (token !== undefined && store) await spend(token, tool.name, store);
    return carryOut();
  };
  if (key === undefined) {
    await admit();
    return spendAndCarryOut();
  }
  checkKey(key);
  if (!store) {
    throw new ToolError(
      'not_configured',
      `${tool.name}: an idempotency key cannot be kept here: the setting KV_URL names no store; set it, or send the call without a key`,
    );
  }
  const binding = bindingOf(scope.caller, tool, input);
  return once(
    { tool: tool.name, key, binding, secret: sealSecret(scope.caller, scope.settings) },
    { ...scope, store },
    admit,
    spendAndCarryOut,
  );
}

/** Where instances share a store, a token is good for one call. */
async function spend(token: string, tool: string, store: Store): Promise<void> {
  if (!(await store.swap(`consent/${digest(token)}`, undefined, 'spent', validMs))) throw refusedToken(tool, 'used');
}

function checkKey(key: string): void {
  if (/^[\x20-\x7e]{1,255}$/.test(key)) return;
  throw new ToolError('invalid_arguments', 'an idempotency key is 1 to 255 printable ASCII characters', {
    problems: [{ field: 'Idempotency-Key', got: JSON.stringify(key.slice(0, 80)), expected: '1 to 255 printable ASCII characters' }],
  });
}
