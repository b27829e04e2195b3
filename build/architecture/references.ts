import ts from 'typescript';

/** One place in a source that names another module. */
export interface Reference {
  /** As written; undefined where it is computed and could be anything. */
  readonly specifier: string | undefined;
  /** `type`: gone at run time. `url`: `new URL('./x', import.meta.url)` and its kin, a file used without importing it. */
  readonly kind: 'static' | 'dynamic' | 'type' | 'url';
  /** What a static import brings in by name, `default` and `*` included. */
  readonly names: readonly string[];
  readonly line: number;
}

/** Parses TypeScript or JavaScript; parents are set. */
export function parse(path: string, text: string): ts.SourceFile {
  return ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true, path.endsWith('.ts') ? ts.ScriptKind.TS : ts.ScriptKind.JS);
}

/** Calls `visit` with every node of a source. */
export function walk(node: ts.Node, visit: (node: ts.Node) => void): void {
  visit(node);
  ts.forEachChild(node, (child) => walk(child, visit));
}

export function lineOf(source: ts.SourceFile, node: ts.Node): number {
  return source.getLineAndCharacterOfPosition(node.getStart(source)).line + 1;
}

/** Every module a source refers to: imports of all kinds, re-exports, `import()`, `require()`, `process.getBuiltinModule()`, addresses relative to the module. */
export function referencesOf(source: ts.SourceFile): readonly Reference[] {
  const references: Reference[] = [];
  walk(source, (node) => {
    const found = referenceOf(node);
    if (found) references.push({ names: [], ...found, line: lineOf(source, node) });
  });
  return references;
}

type Found = Pick<Reference, 'specifier' | 'kind'> & Partial<Pick<Reference, 'names'>>;

function referenceOf(node: ts.Node): Found | undefined {
  if (ts.isImportDeclaration(node)) {
    const clause = node.importClause;
    return { specifier: textOf(node.moduleSpecifier), kind: clause?.isTypeOnly ? 'type' : 'static', names: namesOf(clause) };
  }
  if (ts.isExportDeclaration(node) && node.moduleSpecifier) {
    return { specifier: textOf(node.moduleSpecifier), kind: node.isTypeOnly ? 'type' : 'static', names: ['*'] };
  }
  if (ts.isImportTypeNode(node)) {
    return { specifier: ts.isLiteralTypeNode(node.argument) ? textOf(node.argument.literal) : undefined, kind: 'type' };
  }
  if (ts.isCallExpression(node)) return callReference(node);
  if (ts.isNewExpression(node) && node.expression.getText() === 'URL' && node.arguments?.[1]?.getText() === 'import.meta.url') {
    return { specifier: textOf(node.arguments[0]), kind: 'url' };
  }
  return undefined;
}

function callReference({ expression, arguments: [first] }: ts.CallExpression): Found | undefined {
  if (expression.kind === ts.SyntaxKind.ImportKeyword) return { specifier: textOf(first), kind: 'dynamic', names: ['*'] };
  const callee = expression.getText();
  if (callee === 'require' || callee === 'process.getBuiltinModule') return { specifier: textOf(first), kind: 'static', names: ['*'] };
  if (callee === 'require.resolve' || callee === 'import.meta.resolve') return { specifier: textOf(first), kind: 'url' };
  return undefined;
}

function textOf(node: ts.Node | undefined): string | undefined {
  return node && ts.isStringLiteralLike(node) ? node.text : undefined;
}

/** The names as the other module exports them, without those that are only types. */
function namesOf(clause: ts.ImportClause | undefined): readonly string[] {
  const bindings = clause?.namedBindings;
  const named = bindings && ts.isNamedImports(bindings) ? bindings.elements.filter((element) => !element.isTypeOnly) : [];
  return [
    ...(clause?.name ? ['default'] : []),
    ...(bindings && ts.isNamespaceImport(bindings) ? ['*'] : []),
    ...named.map((element) => (element.propertyName ?? element.name).text),
  ];
}
