interface SourceJson {
  readonly rawJSON: (text: string) => unknown;
  readonly isRawJSON: (value: object) => boolean;
  readonly parse: (text: string, revive: (key: string, value: unknown, context: { readonly source?: string }) => unknown) => unknown;
}

/** What Node's JSON can do since version 21 and the language's types do not know yet. Safe: functions run on Node 22 and later. */
export const sourceJson = JSON as unknown as SourceJson;
