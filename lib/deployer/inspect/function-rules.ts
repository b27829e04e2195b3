import { field } from '../api/connection.ts';
import { isJavaScript, isTypeScript, READ_AS_JAVASCRIPT } from '../source/function-file.ts';
import { isReadAsJavaScript } from '../source/main-file.ts';
import { syntaxProblem } from '../source/syntax-problem.ts';
import { CODE_LIMIT_BYTES } from '../upload/put-function.ts';
import type { Inspected, InspectionRule, Remark } from './finding.ts';
import { manifestOf } from './inspect-function.ts';

/** What the platform's kinds and deployer take otherwise than one would think (platform reference, runtime contract and layouts), of files alone. */
export const FILE_RULES: readonly InspectionRule[] = [moduleTypeBesideCommonJs, globalMainInZip, rawTypeScript, leftOutByName, largeCode];

/** The same, of files together with what project.yml says of the function. */
export const SETTING_RULES: readonly InspectionRule[] = [zipWithoutEntry, kindUnknown, noBody, noHandler];

function moduleTypeBesideCommonJs({ isZip, files, mainFile }: Inspected): readonly Remark[] {
  if (!isZip || mainFile === null || !mainFile.name.endsWith('.js') || field(manifestOf(files), 'type') !== 'module') return [];
  if (!isCommonJs(mainFile.text ?? '')) return [];
  return [
    {
      severity: 'error',
      file: mainFile.name,
      message: `${mainFile.name} is CommonJS, and package.json beside it says "type": "module": it does not start on any kind`,
      fix: `name it ${mainFile.name.replace(/\.js$/, '.cjs')} and point "main" to it, or take package.json out of .include`,
    },
  ];
}

function globalMainInZip({ isZip, mainFile, files }: Inspected): readonly Remark[] {
  if (!isZip || mainFile === null || !assignsGlobalMain(mainFile.text ?? '') || exportsHandler(mainFile.text ?? '', 'main')) return [];
  const others = files.filter((file) => file !== mainFile).map((file) => file.name);
  return [
    {
      severity: 'error',
      file: mainFile.name,
      message: `${mainFile.name} assigns global.main, which is found only where it is the single file; with ${shortList(others)} beside it, it is not`,
      fix: `list ${mainFile.name} alone in .include, or export the handler: exports.main = main`,
    },
  ];
}

function zipWithoutEntry({ isZip, files, mainFile, entry }: Inspected): readonly Remark[] {
  // A build may make the file, and `main: file.function` names another.
  const isMade = entry.source.type === 'directory' && entry.source.build !== null && entry.source.build.type !== 'npm-install';
  if (!isZip || mainFile !== null || isMade || entry.main?.includes('.') === true || !files.some(({ name }) => isJavaScript(name)))
    return [];
  const declared = field(manifestOf(files), 'main');
  const missing = typeof declared === 'string' ? `its package.json names ${declared}, which is not deployed` : 'it has no index.js';
  return [
    {
      severity: 'error',
      message: `the function has several files and none to start from: ${missing}`,
      fix: 'name the file of the handler under "main" of package.json, and list both in .include where there is one; or call it index.js',
    },
  ];
}

function kindUnknown({ entry, files }: Inspected): readonly Remark[] {
  if (entry.runtime !== null || files.length === 0 || files.some(({ name }) => /\.(js|ts|zip)$/.test(name))) return [];
  return [
    {
      severity: 'error',
      message: `nothing tells the platform's deployer its kind: none of ${shortList(files.map(({ name }) => name))} ends with .js`,
      fix: 'set runtime: nodejs:24 for it in project.yml',
    },
  ];
}

function rawTypeScript({ entry, isZip, mainFile, files }: Inspected): readonly Remark[] {
  if (entry.source.type === 'file') return mainFile !== null && isTypeScript(mainFile.name) ? [AS_JAVASCRIPT] : [];
  const isRaw = files.length > 0 && !files.some(({ name }) => isJavaScript(name)) && files.some(({ name }) => isTypeScript(name));
  if (!isRaw && (isZip || mainFile === null || !isTypeScript(mainFile.name))) return [];
  return [RAW];
}

const BUILT = 'build it to JavaScript: package.json with scripts.build, and the result in .include';

/** TypeScript that goes up as it is. */
export const RAW: Remark = { severity: 'error', message: 'TypeScript is uploaded as it is, and no kind runs it', fix: BUILT };

const AS_JAVASCRIPT: Remark = { severity: 'warning', message: READ_AS_JAVASCRIPT, fix: `name it .js, or ${BUILT}` };

/** Code that Node.js cannot read, as deploying it would tell. */
export async function unreadable({ entry, mainFile }: Inspected): Promise<readonly Remark[]> {
  if (mainFile === null || mainFile.text === null || !isReadAsJavaScript(mainFile.name, entry.source)) return [];
  const problem = await syntaxProblem(mainFile.name, mainFile.text, entry.runtime);
  if (problem === null) return [];
  const fix = isTypeScript(mainFile.name) ? BUILT : 'mend it: deploying it fails, and what was deployed before goes on serving';
  return [{ severity: 'error', file: mainFile.name, line: problem.line, message: problem.message, fix }];
}

function noBody({ entry, files }: Inspected): readonly Remark[] {
  const texts = files.filter(({ name }) => isJavaScript(name) && !name.includes('node_modules/'));
  if (entry.web === false || texts.length === 0 || texts.some(({ text }) => text === null || /\bbody\b/.test(text))) return [];
  return [
    {
      severity: 'warning',
      message: 'none of its code mentions body (this looks at the words alone): a web call without one is answered 204, with nothing',
      fix: 'return { body: ... } from the handler, or set web: false where it is not called over the web',
    },
  ];
}

function noHandler({ entry, mainFile }: Inspected): readonly Remark[] {
  const name = entry.main ?? 'main';
  const text = mainFile?.text ?? null;
  if (mainFile === null || text === null || !isJavaScript(mainFile.name) || name.includes('.')) return [];
  if (exportsHandler(text, name) || (name === 'main' && assignsGlobalMain(text))) return [];
  return [
    {
      severity: 'warning',
      file: mainFile.name,
      message: `no export named ${name} can be seen in ${mainFile.name} (this looks at the words alone)`,
      fix: `write exports.${name} = ... or export const ${name} = ..., or set main to the handler's name in project.yml`,
    },
  ];
}

function leftOutByName({ surprising }: Inspected): readonly Remark[] {
  return surprising.map((name) => ({
    severity: 'warning',
    file: name,
    message: `${name} is not deployed: the platform leaves out _tmp_, .deployed, .nimbella and .# in names`,
    fix: 'rename it',
  }));
}

const NEAR_LIMIT = 0.8;
const LARGE_ZIP_BYTES = 1024 * 1024;

function largeCode({ files, isZip }: Inspected): readonly Remark[] {
  const bytes = files.reduce((sum, file) => sum + file.bytes, 0);
  if (bytes > NEAR_LIMIT * CODE_LIMIT_BYTES) {
    const isOver = bytes > CODE_LIMIT_BYTES && !isZip;
    return [
      {
        severity: isOver ? 'error' : 'warning',
        message: `its code has ${megabytes(bytes)}${isZip ? ' before it is zipped' : ''}, and the platform takes 48 MB`,
        fix: 'bundle the function, or list less in .include',
      },
    ];
  }
  const carriesPackages = files.some(({ name }) => name.startsWith('node_modules/'));
  if (!isZip || !carriesPackages || bytes <= LARGE_ZIP_BYTES) return [];
  return [
    {
      severity: 'warning',
      message: `it carries ${megabytes(bytes)} of files with its node_modules: every cold start unpacks them`,
      fix: 'bundle it into one file and list that in .include',
    },
  ];
}

const isCommonJs = (text: string): boolean => /\b(module\.exports|exports\.\w+)\s*=|\brequire\(/.test(text) && !/^\s*export\s/m.test(text);

const assignsGlobalMain = (text: string): boolean => /\bglobal(This)?\.main\s*=[^=]/.test(text);

function exportsHandler(text: string, name: string): boolean {
  const escaped = name.replace(/[.*+?^${}()|[\]\\$]/g, '\\$&');
  const forms = [
    `exports\\.${escaped}\\s*=`,
    `exports\\[["']${escaped}["']\\]\\s*=`,
    'module\\.exports\\s*=',
    `export\\s+(async\\s+)?(const|let|var|function\\*?|class)\\s+${escaped}\\b`,
    `export\\s*\\{[^}]*\\b${escaped}\\b`,
    'export\\s*\\*',
    `defineProperty\\(\\s*exports\\s*,\\s*["']${escaped}["']`,
  ];
  return forms.some((form) => new RegExp(form).test(text));
}

function shortList(names: readonly string[]): string {
  return names.length > 3 ? `${names.slice(0, 3).join(', ')} and ${names.length - 3} more` : names.join(', ');
}

function megabytes(bytes: number): string {
  return `${(bytes / 1024 / 1024).toFixed(1)} MB`;
}
