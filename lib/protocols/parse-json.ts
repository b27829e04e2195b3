import { deepest } from '../catalogue/depth.ts';

/**
 * The value of a JSON text that came from a caller. Beyond what JSON demands, no object may have one name twice (which of the values was meant is anyone's
 * guess), and nothing may be nested deeper than 64 levels.
 *
 * @throws SyntaxError saying what is wrong.
 */
export function parseJson(text: string): unknown {
  const value: unknown = JSON.parse(text);
  checkText(text);
  return value;
}

/** Walks over a text that is known to be JSON. */
function checkText(text: string): void {
  // The names seen in each object that is open; undefined stands for a list.
  const open: (Set<string> | undefined)[] = [];
  for (let at = 0; at < text.length; at += 1) {
    const character = text[at];
    if (character === '{' || character === '[') {
      open.push(character === '{' ? new Set() : undefined);
      if (open.length > deepest) throw new SyntaxError(`it is nested deeper than ${deepest} levels`);
    } else if (character === '}' || character === ']') {
      open.pop();
    } else if (character === '"') {
      const end = endOfString(text, at);
      if (isName(text, end)) noteName(text.slice(at, end), open.at(-1));
      at = end - 1;
    }
  }
}

/** Where the text behind a string's closing quote begins. */
function endOfString(text: string, start: number): number {
  let at = start + 1;
  while (at < text.length && text[at] !== '"') at += text[at] === '\\' ? 2 : 1;
  return at + 1;
}

function isName(text: string, end: number): boolean {
  let at = end;
  while (text[at] === ' ' || text[at] === '\n' || text[at] === '\r' || text[at] === '\t') at += 1;
  return text[at] === ':';
}

function noteName(quoted: string, seen: Set<string> | undefined): void {
  const name = String(JSON.parse(quoted));
  if (seen?.has(name)) throw new SyntaxError(`the name ${JSON.stringify(name.slice(0, 60))} stands twice in one object`);
  seen?.add(name);
}
