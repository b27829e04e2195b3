import { z } from 'zod';
import { asPath } from './function-name.ts';
import { type ApiRequest, expectBody, send } from './send.ts';
import { type AccessKey, accessKey, type Namespace, namespace, type Trigger, trigger } from './wire.ts';

/** The namespaces of an account and what belongs to them (operations `functions_*` of the platform's API). */
export interface PlatformClient {
  readonly origin: string;
  readonly namespaces: () => Promise<readonly Namespace[]>;
  readonly namespace: (id: string) => Promise<Namespace>;
  readonly createNamespace: (label: string, region: string) => Promise<Namespace>;
  readonly deleteNamespace: (id: string) => Promise<void>;
  readonly keys: (id: string) => Promise<readonly AccessKey[]>;
  /** `expiresIn` is a number of hours or days, `12h` or `7d`; null: never. */
  readonly createKey: (id: string, name: string, expiresIn: string | null) => Promise<AccessKey>;
  readonly deleteKey: (id: string, keyId: string) => Promise<void>;
  readonly triggers: (id: string) => Promise<readonly Trigger[]>;
  readonly trigger: (id: string, name: string) => Promise<Trigger>;
  readonly enableTrigger: (id: string, name: string, isEnabled: boolean) => Promise<Trigger>;
  readonly deleteTrigger: (id: string, name: string) => Promise<void>;
}

/**
 * A client of the platform's API, or of a host that serves the same.
 *
 * @param authorization value of the header: Bearer with the account's token, or Basic with a namespace's key for what is inside of it
 */
export function platformClient(origin: string, authorization: string): PlatformClient {
  const base = `${origin}/v2/functions/namespaces`;
  const call = async <T>(method: ApiRequest['method'], path: string, shape: z.ZodType<T>, body?: unknown): Promise<T> =>
    expectBody(await send({ method, url: `${base}${path}`, authorization, ...(body !== undefined && { body }) }), shape);
  const oneNamespace = z.looseObject({ namespace });
  const oneTrigger = z.looseObject({ trigger });
  return {
    origin,
    namespaces: async () => (await call('GET', '', z.looseObject({ namespaces: z.array(namespace) }))).namespaces,
    namespace: async (id) => (await call('GET', `/${asPath(id)}`, oneNamespace)).namespace,
    createNamespace: async (label, region) => (await call('POST', '', oneNamespace, { label, region })).namespace,
    deleteNamespace: async (id) => void (await call('DELETE', `/${asPath(id)}`, z.unknown())),
    keys: async (id) => (await call('GET', `/${asPath(id)}/keys`, z.looseObject({ access_keys: z.array(accessKey) }))).access_keys,
    createKey: async (id, name, expiresIn) => {
      const body = { name, ...(expiresIn !== null && { expires_in: expiresIn }) };
      return (await call('POST', `/${asPath(id)}/keys`, z.looseObject({ access_key: accessKey }), body)).access_key;
    },
    deleteKey: async (id, keyId) => void (await call('DELETE', `/${asPath(id)}/keys/${asPath(keyId)}`, z.unknown())),
    triggers: async (id) => (await call('GET', `/${asPath(id)}/triggers`, z.looseObject({ triggers: z.array(trigger) }))).triggers,
    trigger: async (id, name) => (await call('GET', `/${asPath(id)}/triggers/${asPath(name)}`, oneTrigger)).trigger,
    enableTrigger: async (id, name, isEnabled) =>
      (await call('PUT', `/${asPath(id)}/triggers/${asPath(name)}`, oneTrigger, { is_enabled: isEnabled })).trigger,
    deleteTrigger: async (id, name) => void (await call('DELETE', `/${asPath(id)}/triggers/${asPath(name)}`, z.unknown())),
  };
}
