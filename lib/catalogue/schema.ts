/** The closed part of JSON Schema that tools use: what every client of the field accepts. */
export type Schema = ObjectSchema | ArraySchema | StringSchema | NumberSchema | BooleanSchema | EitherSchema;

interface Described {
  readonly description?: string;
  readonly default?: unknown;
}

export interface ObjectSchema extends Described {
  readonly type: 'object';
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  /** `false`: unknown names are refused. Absent: they pass, for the platform to judge. */
  readonly additionalProperties?: false;
}

export interface ArraySchema extends Described {
  readonly type: 'array';
  readonly items: Schema;
  readonly minItems?: number;
  readonly maxItems?: number;
}

export interface StringSchema extends Described {
  readonly type: 'string';
  readonly enum?: readonly string[];
}

export interface NumberSchema extends Described {
  readonly type: 'integer' | 'number';
  readonly minimum?: number;
  readonly maximum?: number;
}

export interface BooleanSchema extends Described {
  readonly type: 'boolean';
}

/** Several forms of one value; `type` is absent, which tells it from the others. */
export interface EitherSchema extends Described {
  readonly type?: undefined;
  readonly anyOf: readonly Schema[];
}
