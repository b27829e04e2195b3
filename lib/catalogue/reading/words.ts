import type { Schema } from '../schema.ts';

/** What a schema takes, in words. */
export function expectation(schema: Schema): string {
  switch (schema.type) {
    case 'object':
      return 'an object';
    case 'boolean':
      return 'true or false';
    case 'string':
      return schema.enum ? `one of ${schema.enum.join(', ')}` : 'a string';
    case 'array':
      return `a list of ${plural(schema.items)}${bounds(schema.minItems, schema.maxItems, ' with', ' items')}`;
    case 'integer':
      return `an integer${bounds(schema.minimum, schema.maximum)}`;
    case 'number':
      return `a number${bounds(schema.minimum, schema.maximum)}`;
    case undefined:
      return schema.anyOf.map(expectation).join(' or ');
  }
}

function plural(schema: Schema): string {
  if (schema.type === 'string' && schema.enum) return `strings out of ${schema.enum.join(', ')}`;
  return `${schema.type ?? 'value'}s`;
}

function bounds(least: number | undefined, most: number | undefined, before = '', after = ''): string {
  if (least === undefined && most === undefined) return '';
  if (most === undefined) return `${before} from ${least}${after}`;
  return `${before} ${least === undefined ? '' : `from ${least} `}to ${most}${after}`;
}

/** A value as JSON, cut when long. */
export function shown(value: unknown): string {
  const text = JSON.stringify(value) ?? String(value);
  return text.length > 80 ? `${text.slice(0, 77)}...` : text;
}

/** The steps of a field's path, without the places in lists: `Rules[0].Port` -> `Rules`, `Port`. */
export function stepsOf(field: string): readonly string[] {
  return field.replace(/\[\d+\]/g, '').split('.');
}
