import type { JsonObject } from '../project.ts';
import { type Answer, basicAuthorization, expectSuccess, field, isRecord, originOf, send, unexpected } from './connection.ts';

/** A schedule as the host keeps it. `function` is `package/function`, or `function` in the default package. */
export interface DeployedTrigger {
  readonly name: string;
  readonly function: string;
  readonly isEnabled: boolean;
  readonly cron: string;
  readonly body: JsonObject | null;
}

/** The schedules of a namespace. Each call throws a DeployError. */
export interface TriggersApi {
  readonly list: () => Promise<readonly DeployedTrigger[]>;
  readonly create: (trigger: DeployedTrigger) => Promise<void>;
  /** False where there was none. */
  readonly remove: (name: string) => Promise<boolean>;
}

/** Where and as whom triggers are managed. */
export interface TriggersAccess {
  readonly apihost: string;
  /** The key of the namespace, `uuid:key`. */
  readonly auth: string;
  /** A token of the account, which the platform wants for triggers; other hosts take the key. */
  readonly accessToken?: string;
  /** The platform's API. Default: the public one. */
  readonly platformUrl?: string;
}

const PLATFORM_URL = 'https://api.digitalocean.com';

/**
 * The triggers of a namespace (API operations functions_list_triggers, functions_create_trigger, functions_delete_trigger; platform
 * reference, REST row 17). Null where the host is the platform's own and no token of the account is given: the namespace's key opens
 * nothing there.
 */
export function triggersApi(namespace: string, access: TriggersAccess): TriggersApi | null {
  const onPlatform = isPlatformHost(access.apihost);
  if (onPlatform && access.accessToken === undefined) return null;
  const authorization = onPlatform ? `Bearer ${access.accessToken}` : basicAuthorization(access.auth);
  const origin = onPlatform ? originOf(access.platformUrl ?? PLATFORM_URL) : originOf(access.apihost);
  const collection = `${origin}/v2/functions/namespaces/${encodeURIComponent(namespace)}/triggers`;
  return {
    list: async () => triggersOf(expectSuccess(await send(collection, { authorization }))),
    create: async (trigger) => {
      expectSuccess(await send(collection, { method: 'POST', authorization, json: wireTrigger(trigger) }));
    },
    remove: async (name) => {
      const answer = await send(`${collection}/${encodeURIComponent(name)}`, { method: 'DELETE', authorization });
      if (answer.status === 404) return false;
      expectSuccess(answer);
      return true;
    },
  };
}

/** True for the addresses of the platform's own functions hosts. */
export function isPlatformHost(apihost: string): boolean {
  return /\.doserverless\.(co|io)$/.test(new URL(originOf(apihost)).hostname);
}

function wireTrigger({ name, function: target, isEnabled, cron, body }: DeployedTrigger): object {
  const scheduled = { cron, ...(body !== null && { body }) };
  return { name, function: target, type: 'SCHEDULED', is_enabled: isEnabled, scheduled_details: scheduled };
}

function triggersOf(answer: Answer): readonly DeployedTrigger[] {
  const triggers = field(answer.body, 'triggers');
  if (!Array.isArray(triggers)) throw unexpected(answer, 'a list of triggers');
  return triggers.map((trigger) => {
    const details = field(trigger, 'scheduled_details');
    const body = field(details, 'body');
    return {
      name: String(field(trigger, 'name')),
      function: String(field(trigger, 'function')),
      isEnabled: field(trigger, 'is_enabled') === true,
      cron: String(field(details, 'cron')),
      // It came out of JSON, and is an object there.
      body: isRecord(body) ? (body as JsonObject) : null,
    };
  });
}
