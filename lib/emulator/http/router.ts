import { methodNotAllowed, notFound } from '../errors.ts';

/** What a router holds: a method, a path with `{placeholders}`, and whatever belongs to it. */
export interface Routed {
  readonly method: string;
  readonly path: string;
}

export interface Match<R extends Routed> {
  readonly route: R;
  readonly params: Readonly<Record<string, string>>;
}

/** Finds the route of a request. Errors: 404 for an unknown path, 405 with Allow for a known path and another method. HEAD is answered by GET. */
export type Router<R extends Routed> = (method: string, path: string) => Match<R>;

/** Compiles routes into a tree of path segments; a literal segment goes before a placeholder. */
export function router<R extends Routed>(routes: readonly R[]): Router<R> {
  const root = emptyNode<R>();
  for (const route of routes) {
    const leaf = route.path
      .slice(1)
      .split('/')
      .reduce(childFor<R>, root);
    if (leaf.methods.has(route.method)) {
      throw new Error(`two routes for ${route.method} ${route.path}: remove one`);
    }
    leaf.methods.set(route.method, { route, names: [...route.path.matchAll(/\{(\w+)\}/g)].map((match) => match[1] ?? '') });
  }

  return (method, path) => {
    const values: string[] = [];
    const leaf = find(root, path.slice(1).split('/'), 0, values);
    if (leaf === undefined) {
      throw notFound();
    }
    const found = leaf.methods.get(method === 'HEAD' ? 'GET' : method);
    if (found === undefined) {
      throw methodNotAllowed(allowedMethods(leaf));
    }
    return { route: found.route, params: toParams(found.names, values) };
  };
}

interface Node<R> {
  readonly literals: Map<string, Node<R>>;
  readonly methods: Map<string, { readonly route: R; readonly names: readonly string[] }>;
  placeholder: Node<R> | undefined;
}

function emptyNode<R>(): Node<R> {
  return { literals: new Map(), methods: new Map(), placeholder: undefined };
}

function childFor<R>(node: Node<R>, segment: string): Node<R> {
  if (segment.startsWith('{')) {
    node.placeholder ??= emptyNode();
    return node.placeholder;
  }
  const child = node.literals.get(segment) ?? emptyNode<R>();
  node.literals.set(segment, child);
  return child;
}

function find<R>(node: Node<R>, segments: readonly string[], at: number, values: string[]): Node<R> | undefined {
  const segment = segments[at];
  if (segment === undefined) {
    return node.methods.size > 0 ? node : undefined;
  }
  const literal = node.literals.get(segment);
  const found = literal === undefined ? undefined : find(literal, segments, at + 1, values);
  if (found !== undefined || node.placeholder === undefined || segment === '') {
    return found;
  }
  values.push(segment);
  const leaf = find(node.placeholder, segments, at + 1, values);
  if (leaf === undefined) {
    values.pop();
  }
  return leaf;
}

function toParams(names: readonly string[], values: readonly string[]): Readonly<Record<string, string>> {
  const params: Record<string, string> = {};
  for (const [index, name] of names.entries()) {
    params[name] = decode(values[index] ?? '');
  }
  return params;
}

function decode(segment: string): string {
  if (!segment.includes('%')) {
    return segment;
  }
  try {
    return decodeURIComponent(segment);
  } catch (error) {
    if (error instanceof URIError) {
      throw notFound();
    }
    throw error;
  }
}

function allowedMethods<R>(node: Node<R>): string {
  const methods = [...node.methods.keys()];
  return (methods.includes('GET') ? ['GET', 'HEAD', ...methods.filter((method) => method !== 'GET')] : methods).join(', ');
}
