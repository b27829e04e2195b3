/** As deep as what others send may be nested; what is deeper would exhaust the stack of those who walk over it. */
export const deepest = 64;

/** Whether a value is nested deeper than that. */
export function isTooDeep(value: unknown, levels = deepest): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return levels === 0 || Object.values(value).some((content) => isTooDeep(content, levels - 1));
}
