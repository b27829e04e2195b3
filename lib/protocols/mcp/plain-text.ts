/** Characters that are not seen and change what is: control characters but tab and line ends, marks of annotation, and all that Unicode has left out where it is not known, such as zero-width ones, marks of direction, selectors of variations, tags. */
const unseen =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is taken out
  /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f\u2028-\u202e\ufff9-\ufffb\p{Default_Ignorable_Code_Point}]/gu;

/** The same in a text of JSON, where the first of them are escaped; an escaped backslash before a letter is taken for one of them too. */
const mayHoldUnseen = /[\u007f-\u009f\u2028-\u202e\ufff9-\ufffb\p{Default_Ignorable_Code_Point}]|\\u00[01]|\\[bf]/u;

/**
 * JSON as a model may be shown it: names of resources, and whatever else somebody wrote, without what is not seen. A model reads such characters all the
 * same, so that they could carry words that no person would find.
 */
export function plainText(json: string): string {
  if (!mayHoldUnseen.test(json)) return json;
  return JSON.stringify(JSON.parse(json), (_, value: unknown) => {
    if (typeof value === 'string') return value.replace(unseen, '');
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
    return Object.fromEntries(Object.entries(value).map(([name, content]) => [name.replace(unseen, ''), content]));
  });
}
