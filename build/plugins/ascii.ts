import type { Plugin } from 'rollup';

/**
 * Writes what is not ASCII as `\uXXXX`, which in strings, regular expressions and names means the same. One dash in a comment makes V8 keep the
 * whole file in two bytes a character, and read it the slower for it at each start.
 */
export function ascii(): Plugin {
  return {
    name: 'ascii',
    renderChunk: (code) => ({ code: code.replace(/[^\0-\x7f]/g, escapeOf), map: null }),
  };
}

function escapeOf(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
}
