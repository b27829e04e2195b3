import type { Caller } from '../access/callers.ts';
import type { Settings } from '../functions/settings.ts';
import type { Hook } from './hook.ts';
import { standardKey } from './signature.ts';

/** What a hook needs in order to act. */
export interface OpenHook {
  readonly caller: Caller;
  readonly secrets: readonly string[];
}

/** Either a hook can act, or it is closed for the want of settings, in words. */
export type Readiness = { readonly open: OpenHook } | { readonly missing: readonly string[] };

type Environment = Readonly<Record<string, string | undefined>>;

/** Whether a hook has all it needs; a hook that lacks something is closed alone. Secrets are read now: they are not in the bundle. */
export function readinessOf(hook: Hook, settings: Settings, environment: Environment): Readiness {
  const given = hook.secrets.map((name) => environment[name]?.trim() ?? '').filter((value) => value !== '');
  const secrets = given.filter((value) => holdsKey(hook, value));
  const entry = settings.own?.callers.find(({ name }) => name === hook.caller);
  const missing = [
    ...(secrets.length === 0 ? [`${hook.secrets.join(' or ')} ${given.length === 0 ? 'missing' : 'has no key behind whsec_'}`] : []),
    ...(settings.own ? [] : ['PLATFORM_API_TOKEN missing']),
    ...(settings.own && !entry ? [`caller ${hook.caller} missing in ACCESS_TOKENS`] : []),
    ...(needsStore(hook) && settings.kvUrl === undefined ? ['KV_URL missing'] : []),
  ];
  if (missing.length > 0 || !settings.own || !entry) return { missing };
  return { open: { caller: { name: hook.caller, platformToken: settings.own.token, grants: [entry], rate: entry.rate }, secrets } };
}

/** With a key of no bytes anybody could sign: such as `whsec_...` stands for, in a setting that nobody has filled in. */
function holdsKey({ verify }: Hook, secret: string): boolean {
  return verify.kind !== 'standard-webhooks' || standardKey(secret).length > 0;
}

/** What keeps a hook's deliveries apart, for those who look after it. */
export function dedupeWords(hook: Hook, { kvUrl }: Settings): string {
  if (kvUrl !== undefined) return 'in the store: one delivery has one effect, whichever instance it reaches';
  if (needsStore(hook)) return 'nowhere: this hook changes something, and needs the setting KV_URL';
  return 'in memory: a delivery that is sent again may have its effect again on another instance, or after a restart; KV_URL mends that';
}

function needsStore({ writes, dedupeInMemory }: Hook): boolean {
  return writes && !dedupeInMemory;
}
