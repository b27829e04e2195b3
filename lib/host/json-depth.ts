/** As deep as JSON may be nested here. What is deeper can be read and not be written again: that would exhaust the stack. */
export const deepestJson = 1000;

/** Whether the value of a JSON text is nested deeper than that. */
export function isTooDeep(text: string, value: unknown): boolean {
  // Each level takes two characters at least, and few texts have as many.
  return text.length > 2 * deepestJson && isDeeper(value, deepestJson);
}

function isDeeper(value: unknown, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return levels === 0 || Object.values(value).some((content) => isDeeper(content, levels - 1));
}
