import { execFile } from 'node:child_process';
import { basename } from 'node:path';
import { compileFunction } from 'node:vm';

/** A place where code cannot be read, its line from 1, with the line itself. */
export interface SyntaxProblem {
  readonly line: number | null;
  readonly message: string;
}

/**
 * Why Node.js cannot read a file of code, or null. Nothing of it runs. CommonJS is read here; an ES module is checked by a Node.js of its own, and
 * only where `kind` is that of this process: the syntax of modules has lost forms that older kinds still take.
 */
export async function syntaxProblem(name: string, code: string, kind: string | null): Promise<SyntaxProblem | null> {
  const asCommonJs = name.endsWith('.mjs') ? null : commonJsComplaint(basename(name), code);
  const isCommonJs = !name.endsWith('.mjs') && (name.endsWith('.cjs') || !/\b(?:import|export|await)\b/.test(code));
  if (isCommonJs) return asCommonJs === null ? null : problemOf(asCommonJs);
  if (!name.endsWith('.mjs') && asCommonJs === null) return null;
  if (kind !== null && kind !== 'nodejs:default' && kind !== `nodejs:${process.versions.node.split('.')[0]}`) return null;
  const asModule = await moduleComplaint(code);
  return asModule === null ? null : problemOf(asModule);
}

function commonJsComplaint(filename: string, code: string): string | null {
  try {
    compileFunction(code, ['exports', 'require', 'module', '__filename', '__dirname'], { filename });
    return null;
  } catch (error) {
    if (error instanceof SyntaxError) return error.stack ?? String(error);
    throw error;
  }
}

function moduleComplaint(code: string): Promise<string | null> {
  return new Promise((resolve) => {
    const checking = execFile(process.execPath, ['--check', '--input-type=module', '-'], (error, _out, complaint) => {
      // What else can go wrong with the check says nothing about the code.
      resolve(error !== null && complaint.includes('SyntaxError: ') ? complaint : null);
    });
    checking.stdin?.on('error', () => {});
    checking.stdin?.end(code);
  });
}

/** Node.js writes `file:line`, the line, carets, an empty line, the error and its stack. */
function problemOf(complaint: string): SyntaxProblem {
  const [, line, shown] = /^[^\n]*:(\d+)\n(.*?)\n\n/s.exec(complaint) ?? [];
  const message = /^SyntaxError: .*$/m.exec(complaint)?.[0] ?? complaint;
  // An empty line, at whose end something is missing, is no help, nor one that has everything in it, as a minifier leaves it.
  const isHelpful = shown !== undefined && shown.trim() !== '' && shown.length < 400;
  return { line: line === undefined ? null : Number(line), message: isHelpful ? `${message}\n${shown}` : message };
}
