/** Words that stand in every question and tell nothing. */
const empty = new Set(
  'a an and any are as at be by can do does for from has have how i in is it its me my not of or our please so some that the their them then there they this those to up us want was we what when where which who will with without you your'.split(
    ' ',
  ),
);

/**
 * The words of a text as the search compares them: lower case, `InstanceIDs` taken apart, plurals as the singular. Words that tell nothing are left out.
 */
export function wordsIn(text: string): readonly string[] {
  const parts = text
    .replace(/IDs\b/g, 'Ids')
    .replace(/([a-z0-9])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u);
  return parts.filter((part) => part !== '' && !empty.has(part)).map(singular);
}

/** Without the ending of a plural. It need not be a word of the language, only the same for both forms. */
function singular(word: string): string {
  if (word.length < 4 || /(ss|us|is|dns|https|postgres)$/.test(word)) return word;
  if (word.endsWith('ies')) return `${word.slice(0, -3)}y`;
  if (/(ch|sh|x|ss)es$/.test(word)) return word.slice(0, -2);
  return word.endsWith('s') ? word.slice(0, -1) : word;
}
