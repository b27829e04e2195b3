/** The parts of a text that lists things between commas, without blanks around them and without empty ones. */
export function commaSeparated(text: string): readonly string[] {
  return text
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '');
}
