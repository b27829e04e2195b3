import { existsSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';

/**
 * Which of these packages the JavaScript under a directory asks for by name and does not bring itself: `require('axios')`, `from 'axios'`,
 * `import('axios/x')`, or any call with the name alone. What it brings in `node_modules` is not looked into.
 */
export async function packageMentions(directory: string, names: readonly string[]): Promise<readonly string[]> {
  const sought = names.filter((name) => !existsSync(join(directory, 'node_modules', name)));
  if (sought.length === 0) return [];
  const asksForOne = new RegExp(`(?:\\(|\\bfrom|\\bimport)\\s*["'\`](${sought.map(escaped).join('|')})(?:/[^"'\`\\n]*)?["'\`]`, 'g');
  const found = new Set<string>();
  for await (const file of scripts(directory)) {
    const text = await readFile(file, 'utf8');
    for (const [, name] of text.matchAll(asksForOne)) if (name !== undefined) found.add(name);
  }
  return [...found];
}

/** The package that a failure to load says is missing: `axios` for "Cannot find module 'axios/lib'". */
export function missingPackage(failure: string): string | undefined {
  return /Cannot find (?:module|package) '((?:@[\w.-]+\/)?[\w-][\w.-]*)/.exec(failure)?.[1];
}

async function* scripts(directory: string): AsyncGenerator<string> {
  for (const entry of await readdir(directory, { withFileTypes: true })) {
    const path = join(directory, entry.name);
    if (entry.isDirectory() && entry.name !== 'node_modules') yield* scripts(path);
    else if (entry.isFile() && /\.[cm]?js$/.test(entry.name)) yield path;
  }
}

function escaped(name: string): string {
  return name.replaceAll(/[^\w@-]/g, '\\$&');
}
