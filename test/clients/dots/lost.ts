import type { Json } from '../../emulator/platform.ts';

/**
 * What a reply said and the client's model of it does not: paths like `droplets[].image.slug`, with what became of the value. Names are
 * snake_case in the reply and camelCase in the model, moments are dates there; null and nothing are the same. Values that the client has no
 * field for are kept beside the fields, and are told too; values of no certain type are wrapped.
 */
export function lostOnTheWay(reply: Json, kept: Json, path = ''): readonly string[] {
  const model = untyped(kept);
  if (reply === null || reply === undefined) {
    return [];
  }
  if (model === null || model === undefined) {
    return [`${path}: lost`];
  }
  if (Array.isArray(reply)) {
    return Array.isArray(model) && model.length === reply.length
      ? reply.flatMap((item, at) => lostOnTheWay(item, model[at], `${path}[]`))
      : [`${path}: not the same list`];
  }
  if (typeof reply === 'object') {
    return Object.entries(reply).flatMap(([name, value]) => {
      const where = path === '' ? name : `${path}.${name}`;
      return name in (model.additionalData ?? {}) ? [`${where}: unknown`] : lostOnTheWay(value, fieldOf(model, name), where);
    });
  }
  const same = model instanceof Date ? model.getTime() === Date.parse(reply) : Object.is(model, reply);
  return same ? [] : [`${path}: changed`];
}

function untyped(value: Json): Json {
  return typeof value?.getValue === 'function' ? value.getValue() : value;
}

/** A name that the client's language has already taken is escaped there. */
function fieldOf(model: Json, name: string): Json {
  const camel = name.replace(/_+([a-z0-9])/g, (_, letter: string) => letter.toUpperCase());
  return model[camel] ?? model[`${camel}Escaped`];
}
