import ts from 'typescript';
import { type Sources, within } from './layers.ts';
import { lineOf, parse, type Reference, referencesOf, walk } from './references.ts';

/** What few files may do. The value of each: the files and folders that may. */
export interface Permits {
  /** Open a connection to somewhere else. */
  readonly connect: readonly string[];
  /** Be connected to. */
  readonly listen: readonly string[];
  /** Write to the terminal. */
  readonly print: readonly string[];
  /** Read the clock or set a timer. `in` says where that takes a permit at all. */
  readonly time: { readonly in: string; readonly by: readonly string[] };
  /** Import by an address that is computed, which no rule about imports can follow. */
  readonly compute: readonly string[];
  /** Make code out of text, or run it. */
  readonly evaluate: readonly string[];
  /** Be longer than `maxLines`. */
  readonly long: { readonly maxLines: number; readonly files: readonly string[] };
}

interface Finding {
  readonly line: number;
  readonly what: string;
}

/** Everything a source does without a permit, in words; default exports among it, which none may have. */
export function permitViolations(sources: Sources, permits: Permits): readonly string[] {
  return [...sources].flatMap(([path, text]) => {
    const source = parse(path, text);
    const may = (places: readonly string[]) => places.some((place) => within(path, place));
    const findings = [
      ...defaultExports(source),
      ...(may(permits.connect) ? [] : connections(source, may(permits.listen))),
      ...(may(permits.print) ? [] : uses(source, (name) => /^(console\.\w+|process\.(stdout|stderr))$/.test(name), 'prints with')),
      ...(within(path, permits.time.in) && !may(permits.time.by) ? uses(source, isClock, 'reads the time with') : []),
      ...(may(permits.compute) ? [] : computedImports(source)),
      ...(may(permits.evaluate) ? [] : evaluations(source)),
      ...(may(permits.long.files) ? [] : length(text, permits.long.maxLines)),
    ];
    return findings.map(({ line, what }) => `${path}:${line}: ${what}`);
  });
}

/** Modules that open connections, and of those the exports that only take them in or say what comes in. */
const networkModules = /^(node:)?(https?|http2|net|tls|dgram)$|^(axios|undici|ws)$/;
const listening: ReadonlySet<string> = new Set([
  'createServer',
  'Server',
  'IncomingMessage',
  'ServerResponse',
  'STATUS_CODES',
  'METHODS',
  'validateHeaderName',
  'validateHeaderValue',
]);

function connections(source: ts.SourceFile, mayListen: boolean): readonly Finding[] {
  const imported = referencesOf(source)
    .filter(({ specifier, kind }) => specifier !== undefined && kind !== 'type' && networkModules.test(specifier))
    .filter((reference) => !(mayListen && importedNames(source, reference).every((name) => listening.has(name))))
    .map(({ specifier, line }) => ({ line, what: `may open connections with ${specifier}` }));
  return [...imported, ...uses(source, (name) => /^(globalThis\.)?(fetch|WebSocket|EventSource)$/.test(name), 'opens connections with')];
}

/** What a source takes from a module; of a module it imports whole, the members it uses. */
function importedNames(source: ts.SourceFile, { names, specifier }: Reference): readonly string[] {
  if (!names.some((name) => name === 'default' || name === '*')) return names;
  const local = source.statements
    .filter((statement) => ts.isImportDeclaration(statement))
    .filter(({ moduleSpecifier }) => ts.isStringLiteral(moduleSpecifier) && moduleSpecifier.text === specifier)
    .flatMap(({ importClause }) => {
      const bindings = importClause?.namedBindings;
      return [importClause?.name?.text, bindings && ts.isNamespaceImport(bindings) ? bindings.name.text : undefined];
    });
  const members: string[] = [];
  walk(source, (node) => {
    if (ts.isPropertyAccessExpression(node) && local.includes(node.expression.getText())) members.push(node.name.text);
  });
  // Whole and by no name to follow (`require`, `import()`, re-export): it could be anything.
  return local.length > 0 ? members : names;
}

function computedImports(source: ts.SourceFile): readonly Finding[] {
  return referencesOf(source)
    .filter(({ specifier, kind }) => specifier === undefined && kind !== 'url')
    .map(({ line }) => ({ line, what: 'imports a computed address; name the module' }));
}

function evaluations(source: ts.SourceFile): readonly Finding[] {
  const imported = referencesOf(source)
    .filter(({ specifier, kind }) => kind !== 'type' && /^(node:)?vm$/.test(specifier ?? ''))
    .map(({ specifier, line }) => ({ line, what: `may evaluate code with ${specifier}` }));
  return [...imported, ...uses(source, (name) => /^(globalThis\.)?(eval|Function)$/.test(name), 'evaluates code with')];
}

const clockMembers =
  /^(Date\.now|performance\.now|performance\.timeOrigin|process\.hrtime|process\.uptime|AbortSignal\.timeout|Temporal\.Now)$/;
const timers = /^(globalThis\.)?(setTimeout|setInterval)$/;

function isClock(name: string, node: ts.Node): boolean {
  if (clockMembers.test(name) || timers.test(name)) return true;
  // `new Date(x)` only converts; without arguments, or as a function, it asks what time it is.
  if (name !== 'Date') return false;
  const { parent } = node;
  return ts.isNewExpression(parent) ? !parent.arguments?.length : ts.isCallExpression(parent) && parent.expression === node;
}

/** Places where a global, or a member of one, is used as a value: `fetch`, `console.log`. */
function uses(source: ts.SourceFile, matches: (name: string, node: ts.Node) => boolean, doing: string): readonly Finding[] {
  const findings: Finding[] = [];
  walk(source, (node) => {
    if (!ts.isPropertyAccessExpression(node) && !(ts.isIdentifier(node) && isValue(node))) return;
    const name = node.getText();
    if (matches(name, node)) findings.push({ line: lineOf(source, node), what: `${doing} ${name}` });
  });
  const timerModule = referencesOf(source).filter(
    ({ specifier, kind }) => kind !== 'type' && /^(node:)?timers(\/promises)?$/.test(specifier ?? ''),
  );
  const found = timerModule.filter(() => matches('setTimeout', source));
  return [...findings, ...found.map(({ line, specifier }) => ({ line, what: `${doing} ${specifier}` }))];
}

/** Whether an identifier stands for a variable rather than for a member, a property, a parameter or a type. */
function isValue(node: ts.Identifier): boolean {
  const { parent } = node;
  if (ts.isPropertyAccessExpression(parent)) return parent.expression === node;
  if (ts.isPropertyAssignment(parent)) return parent.initializer === node;
  if (ts.isTypeNode(parent) || ts.isTypeElement(parent) || ts.isImportSpecifier(parent) || ts.isExportSpecifier(parent)) return false;
  if (ts.isMethodDeclaration(parent) || ts.isPropertyDeclaration(parent)) return parent.name !== node;
  return true;
}

function defaultExports(source: ts.SourceFile): readonly Finding[] {
  const findings: Finding[] = [];
  walk(source, (node) => {
    const assigned = ts.isExportAssignment(node);
    const modified = ts.canHaveModifiers(node) && ts.getModifiers(node)?.some(({ kind }) => kind === ts.SyntaxKind.DefaultKeyword);
    const renamed = ts.isExportSpecifier(node) && node.name.text === 'default';
    if (assigned || modified || renamed) findings.push({ line: lineOf(source, node), what: 'has a default export; export it by name' });
  });
  return findings;
}

function length(text: string, maxLines: number): readonly Finding[] {
  const lines = text.trimEnd().split('\n').length;
  return lines > maxLines ? [{ line: lines, what: `is ${lines} lines long; split it by subject at ${maxLines}` }] : [];
}
