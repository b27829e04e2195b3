import type { KeyValue } from '../functions-api.ts';
import type { Environment, JsonObject } from '../project.ts';

/** Parameters, then the environment as parameters for the start of the function. */
export function wireParameters(parameters: JsonObject, environment: Environment): readonly KeyValue[] {
  return [
    ...Object.entries(parameters).map(([key, value]) => ({ key, value })),
    ...Object.entries(environment).map(([key, value]) => ({ key, value, init: true as const })),
  ];
}

/** Keys and values as a list. */
export function wireAnnotations(annotations: JsonObject): readonly KeyValue[] {
  return Object.entries(annotations).map(([key, value]) => ({ key, value }));
}
