import { z } from 'zod';

// What is used of the API's answers is checked; whatever else they carry stays, so that JSON is printed as it came.

const keyValue = z.looseObject({ key: z.string(), value: z.unknown().optional() });

/** A function as the functions API tells it (platform reference, REST rows 7 and 8). */
export const action = z.looseObject({
  name: z.string(),
  /** `namespace`, or `namespace/package`. */
  namespace: z.string(),
  version: z.string(),
  updated: z.number().optional(),
  annotations: z.array(keyValue).optional(),
  parameters: z.array(z.looseObject({ key: z.string(), value: z.unknown().optional(), init: z.boolean().optional() })).optional(),
  exec: z.looseObject({ kind: z.string().optional(), binary: z.boolean().optional(), code: z.string().optional() }).optional(),
});
export type Action = z.infer<typeof action>;

/** An activation (platform reference, activation record); times in milliseconds. */
export const activation = z.looseObject({
  activationId: z.string(),
  name: z.string(),
  version: z.string(),
  start: z.number(),
  end: z.number().optional(),
  duration: z.number().optional(),
  statusCode: z.number().optional(),
  annotations: z.array(keyValue).optional(),
  logs: z.array(z.string()).optional(),
  response: z.looseObject({ result: z.unknown().optional() }).optional(),
});
export type Activation = z.infer<typeof activation>;

/** What a host says of itself without a key. */
export const hostInfo = z.looseObject({
  runtimes: z.record(
    z.string(),
    z.array(z.looseObject({ kind: z.string(), default: z.boolean().optional(), deprecated: z.boolean().optional() })),
  ),
});
export type HostInfo = z.infer<typeof hostInfo>;

/** A namespace as the platform's API tells it (operation functions_list_namespaces). */
export const namespace = z.looseObject({
  namespace: z.string(),
  api_host: z.string(),
  uuid: z.string().optional(),
  key: z.string().optional(),
  label: z.string().optional(),
  region: z.string().optional(),
});
export type Namespace = z.infer<typeof namespace>;

/** A trigger (operation functions_list_triggers). */
export const trigger = z.looseObject({
  name: z.string(),
  function: z.string(),
  is_enabled: z.boolean(),
  scheduled_details: z.looseObject({ cron: z.string().optional() }).nullish(),
  scheduled_runs: z.looseObject({ last_run_at: z.string().nullish(), next_run_at: z.string().nullish() }).nullish(),
});
export type Trigger = z.infer<typeof trigger>;

/** A key of a namespace; its secret is told once, when it is made. */
export const accessKey = z.looseObject({
  id: z.string(),
  name: z.string(),
  created_at: z.string().optional(),
  expires_at: z.string().nullish(),
  secret: z.string().optional(),
});
export type AccessKey = z.infer<typeof accessKey>;

/** The value of an annotation. */
export function annotationOf(entity: Pick<Action | Activation, 'annotations'>, key: string): unknown {
  return entity.annotations?.find((annotation) => annotation.key === key)?.value;
}
