import { deflateRawSync } from 'node:zlib';
import type { OutputBundle, OutputChunk, Plugin } from 'rollup';

/**
 * Puts the chunks that Rollup makes of an entry and its `await import()`s into one CommonJS file, because one file is all that is
 * deployed. What is needed at once is code. What stands behind an `import()` is carried as the text of a comment, compiled and run when it is first
 * imported: V8 reads every character of a file at each start, and passes over a comment eight times as fast as it skims a function.
 *
 * The chunks of `packed`, long and seldom run, are deflated besides: they cost less to carry and more to unpack.
 *
 * (`inlineDynamicImports` makes one file as well, but it lifts every body to the top: all of it runs at every cold start.)
 */
export function oneFile({ packed = [] }: { readonly packed?: readonly string[] } = {}): Plugin {
  return {
    name: 'one-file',
    generateBundle(_options, bundle) {
      const chunks = Object.values(bundle).filter((output) => output.type === 'chunk');
      const entry = chunks.find((chunk) => chunk.isEntry);
      const others = chunks.filter((chunk) => chunk !== entry);
      if (!entry || others.length === 0) return;
      entry.code = link(entry, others, neededAtLoad(entry, bundle), packed);
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

/** Code that unpacks a text, compiles it and runs it. */
function pack(code: string): string {
  const text = deflateRawSync(code, { level: 9 }).toString('base64');
  return `const text = require('node:zlib').inflateRawSync(Buffer.from('${text}', 'base64')).toString();
new Function('exports', 'require', text)(exports, require);
`;
}

/** Stands in a carried text for what would end the comment. */
const endMark = '*<end>/';

/** A function whose source text carries another text. */
function carrier({ fileName }: OutputChunk, code: string): string {
  if (code.includes(endMark)) throw new Error(`${fileName}: contains ${endMark}, which build/plugins/one-file.ts has a use for`);
  return `() => {/*${code.replaceAll('*/', endMark)}\n//# sourceURL=${fileName}\n*/}`;
}

/** One file out of an entry and its other chunks, and a `require` that runs each once. */
function link(entry: OutputChunk, others: readonly OutputChunk[], eager: ReadonlySet<string>, packed: readonly string[]): string {
  const bodies = others.map((chunk) => {
    const { fileName, name, code } = chunk;
    // Parentheses tell V8 to compile the body at once: it is about to run.
    if (eager.has(fileName)) return `'./${fileName}': (function (exports, require) {\n${code}}),\n`;
    return `'./${fileName}': ${carrier(chunk, packed.includes(name) ? pack(code) : code)},\n`;
  });
  const late = others.filter(({ fileName }) => !eager.has(fileName)).map(({ fileName }) => `./${fileName}`);
  return `'use strict';

// The chunks of this bundle. Those behind an import() are the comment in a function's text, and run when they are first asked for.
const chunkBodies = {
${bodies.join('')}};
const lateChunks = ${JSON.stringify(late)};
const chunkExports = { './${entry.fileName}': exports };
function requireChunk(name) {
  if (chunkExports[name]) return chunkExports[name];
  if (!chunkBodies[name]) return require(name);
  chunkExports[name] = {};
  try {
    const body = lateChunks.includes(name) ? new Function('exports', 'require', textIn(chunkBodies[name])) : chunkBodies[name];
    body(chunkExports[name], requireChunk);
  } catch (error) {
    delete chunkExports[name];
    throw error;
  }
  return chunkExports[name];
}
function textIn(carrier) {
  const source = carrier.toString();
  return source.slice(source.indexOf('/*') + 2, source.lastIndexOf('*/')).replaceAll('${endMark}', '*/');
}

(function (exports, require) {
${entry.code}})(exports, requireChunk);
`;
}
