import { deflateRawSync } from 'node:zlib';
import type { OutputBundle, OutputChunk, Plugin } from 'rollup';

/**
 * Puts the chunks that Rollup makes of an entry and its `await import()`s into one CommonJS file, because one file is all that is
 * deployed. A chunk's body runs when it is first imported and not before; until then V8 only skims it.
 *
 * Even skimming takes time at every start, so that the chunks of `asText`, long and seldom run, are carried as packed text and compiled when they are asked for.
 *
 * (`inlineDynamicImports` makes one file as well, but it lifts every body to the top: all of it runs at every cold start.)
 */
export function oneFile({ asText = [] }: { readonly asText?: readonly string[] } = {}): Plugin {
  return {
    name: 'one-file',
    generateBundle(_options, bundle) {
      const chunks = Object.values(bundle).filter((output) => output.type === 'chunk');
      const entry = chunks.find((chunk) => chunk.isEntry);
      const others = chunks.filter((chunk) => chunk !== entry);
      if (!entry || others.length === 0) return;
      entry.code = link(entry, others, neededAtLoad(entry, bundle), asText);
      for (const chunk of others) delete bundle[chunk.fileName];
    },
  };
}

/** The names of the chunks that the entry imports statically, through however many others. */
function neededAtLoad(entry: OutputChunk, bundle: OutputBundle): ReadonlySet<string> {
  const names = new Set<string>();
  const follow = (chunk: OutputChunk): void => {
    for (const name of chunk.imports) {
      const imported = bundle[name];
      if (imported?.type !== 'chunk' || names.has(name)) continue;
      names.add(name);
      follow(imported);
    }
  };
  follow(entry);
  return names;
}

/** Code that compiles a text and runs it. It is packed: V8 reads every character of a bundle at each start. */
function runText(code: string): string {
  const packed = deflateRawSync(code, { level: 9 }).toString('base64');
  return `const text = require('node:zlib').inflateRawSync(Buffer.from('${packed}', 'base64')).toString();
new Function('exports', 'require', text)(exports, require);
`;
}

/** One file out of an entry and its other chunks: a table of bodies and a `require` that runs each once. */
function link(entry: OutputChunk, others: readonly OutputChunk[], eager: ReadonlySet<string>, asText: readonly string[]): string {
  const bodies = others.map(({ fileName, name, code }) => {
    const inner = asText.includes(name) ? runText(code) : code;
    const body = `function (exports, require) {\n${inner}}`;
    // Parentheses tell V8 to compile the body at once: it is about to run.
    return `'./${fileName}': ${eager.has(fileName) ? `(${body})` : body},\n`;
  });
  return `'use strict';

// The chunks of this bundle; those behind an import() run when they are first asked for.
const chunkBodies = {
${bodies.join('')}};
const chunkExports = { './${entry.fileName}': exports };
function requireChunk(name) {
  if (chunkExports[name]) return chunkExports[name];
  if (!chunkBodies[name]) return require(name);
  chunkExports[name] = {};
  try {
    chunkBodies[name](chunkExports[name], requireChunk);
  } catch (error) {
    delete chunkExports[name];
    throw error;
  }
  return chunkExports[name];
}

(function (exports, require) {
${entry.code}})(exports, requireChunk);
`;
}
