/** What one setting of a database engine may be, and what it is while nobody has set it; without `absent` it is then not shown. */
export type Setting =
  | IntegerSetting
  | { readonly kind: 'long'; readonly min: bigint; readonly max: bigint; readonly absent?: bigint }
  | { readonly kind: 'number'; readonly min: number; readonly max: number; readonly absent?: number }
  | { readonly kind: 'flag'; readonly absent?: boolean }
  | ChoiceSetting
  | TextSetting
  | { readonly kind: 'texts'; readonly of: ChoiceSetting | TextSetting; readonly maxItems: number; readonly absent?: readonly string[] }
  | { readonly kind: 'group'; readonly settings: Settings };

/** The settings of an engine, by name, in the order in which they are shown. */
export type Settings = Readonly<Record<string, Setting>>;

export interface IntegerSetting {
  readonly kind: 'integer';
  readonly min: number;
  readonly max: number;
  readonly absent?: number;
  /** Only multiples of it are taken. */
  readonly multipleOf?: number;
  /** Once raised it is never lowered. */
  readonly onlyGrows?: boolean;
  /** Taken beside the range. */
  readonly also?: number;
}

export interface ChoiceSetting {
  readonly kind: 'choice';
  readonly of: readonly string[];
  readonly absent?: string;
  /** Other spellings that are taken, and what they are stored as. */
  readonly spellings?: Readonly<Record<string, string>>;
}

export interface TextSetting {
  readonly kind: 'text';
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly pattern?: RegExp;
  /** Null takes the setting away again. */
  readonly nullable?: boolean;
  readonly absent?: string;
}

/** The largest values of 64-bit integers, which numbers can not hold. */
export const INT64_MAX = 9_223_372_036_854_775_807n;
export const UINT64_MAX = 18_446_744_073_709_551_615n;

export const integer = (min: number, max: number, absent?: number, more: Partial<IntegerSetting> = {}): Setting => ({
  kind: 'integer',
  min,
  max,
  absent,
  ...more,
});
export const long = (min: bigint, max: bigint, absent?: bigint): Setting => ({ kind: 'long', min, max, absent });
export const number = (min: number, max: number, absent?: number): Setting => ({ kind: 'number', min, max, absent });
export const flag = (absent?: boolean): Setting => ({ kind: 'flag', absent });
export const choice = (of: readonly string[], absent?: string, spellings?: Readonly<Record<string, string>>): ChoiceSetting => ({
  kind: 'choice',
  of,
  absent,
  spellings,
});
export const text = (rules: Omit<TextSetting, 'kind'> = {}): TextSetting => ({ kind: 'text', ...rules });
export const texts = (of: ChoiceSetting | TextSetting, maxItems: number, absent?: readonly string[]): Setting => ({
  kind: 'texts',
  of,
  maxItems,
  absent,
});
export const group = (settings: Settings): Setting => ({ kind: 'group', settings });
