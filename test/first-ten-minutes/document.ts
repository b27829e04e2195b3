import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/**
 * The fenced blocks of one language under a heading of a document, up to the next heading, each as it stands: what a test follows is what a reader
 * is told.
 *
 * @param page from the root, such as docs/agents.md
 * @throws {Error} where the document has no such heading, or no such block under it
 */
export function blocksUnder(page: string, heading: string, language: string): readonly string[] {
  const text = readFileSync(fileURLToPath(new URL(`../../${page}`, import.meta.url)), 'utf8');
  const sections = text.split(/^(?=#{1,6} )/m);
  const section = sections.find((one) => one.slice(0, one.indexOf('\n')).replace(/^#+ /, '') === heading);
  if (section === undefined) throw new Error(`${page} has no heading "${heading}"`);
  const blocks = [...section.matchAll(/^```(\w+)\n(.*?)^```$/gms)]
    .filter(([, tag]) => tag === language)
    .map(([, , block]) => (block ?? '').trim());
  if (blocks.length === 0) throw new Error(`${page} has no block of ${language} under "${heading}"`);
  return blocks;
}

/** The line of a document's block, or of what was printed, that reads so, or else begins so. */
export function lineOf(text: string, start: string): string {
  const lines = text.split('\n').map((line) => line.trim());
  const found = lines.find((line) => line === start) ?? lines.find((line) => line.startsWith(start));
  if (found === undefined) throw new Error(`no line begins with "${start}":\n${text}`);
  return found;
}

/** A command as a shell takes it apart, for lines with words and words in double quotes. */
export function wordsOf(command: string): readonly string[] {
  return [...command.matchAll(/"([^"]*)"|(\S+)/g)].map(([, quoted, plain]) => quoted ?? plain ?? '');
}
