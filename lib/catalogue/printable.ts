/** A text of somebody else as a person may be shown it: without what moves a cursor, turns the reading direction, or is not seen. */
export function printable(text: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is taken out
  return text.replace(/[\u0000-\u001f\u007f-\u009f\u2028-\u202e\ufff9-\ufffb\p{Default_Ignorable_Code_Point}]/gu, '');
}
