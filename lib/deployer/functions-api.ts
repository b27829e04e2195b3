import {
  type Answer,
  basicAuthorization,
  encodedName,
  expectSuccess,
  field,
  isRecord,
  originOf,
  send,
  unexpected,
} from './api/connection.ts';
import type { Json } from './project.ts';

/**
 * A host of the functions REST API: its address (`https://` is assumed where the scheme is missing, `http://` for this machine) and the key
 * `uuid:key`.
 */
export interface Target {
  readonly apihost: string;
  readonly auth: string;
}

/** A kind that the host runs. */
export interface Kind {
  readonly kind: string;
  readonly isDefault: boolean;
}

/** A parameter on the wire; with `init` it is a variable of the environment. */
export interface KeyValue {
  readonly key: string;
  readonly value: Json;
  readonly init?: true;
}

/** What the host answers for a package or a function, as far as a deployment asks. */
export interface Deployed {
  readonly version: string;
  readonly annotations: ReadonlyMap<string, unknown>;
  readonly limits: ReadonlyMap<string, unknown>;
}

/**
 * The calls of a deployment (platform reference, REST surface, rows 1, 2, 4 to 9 and 11). Names are `package` and `package/function`. Each
 * throws a DeployError. `delete...` answer false where there was nothing to delete.
 */
export interface FunctionsApi {
  readonly origin: string;
  readonly kinds: () => Promise<ReadonlyMap<string, readonly Kind[]>>;
  readonly namespaces: () => Promise<readonly string[]>;
  /** The names of all packages. */
  readonly packages: () => Promise<readonly string[]>;
  readonly package: (name: string) => Promise<Deployed | null>;
  readonly putPackage: (name: string, body: object) => Promise<Deployed>;
  readonly deletePackage: (name: string) => Promise<boolean>;
  /** The full names of all functions, or of those of one package. */
  readonly actions: (packageName?: string) => Promise<readonly string[]>;
  readonly action: (name: string) => Promise<Deployed | null>;
  readonly putAction: (name: string, body: object) => Promise<Deployed>;
  readonly deleteAction: (name: string) => Promise<boolean>;
}

const PAGE = 200;

/** The functions REST API of a host. */
export function functionsApi(target: Target): FunctionsApi {
  const origin = originOf(target.apihost);
  const authorization = basicAuthorization(target.auth);
  const namespace = `${origin}/api/v1/namespaces/_`;

  const find = async (path: string): Promise<Deployed | null> => {
    const answer = await send(`${namespace}/${path}`, { authorization });
    return answer.status === 404 ? null : deployed(expectSuccess(answer));
  };
  const put = async (path: string, json: object): Promise<Deployed> =>
    deployed(expectSuccess(await send(`${namespace}/${path}?overwrite=true`, { method: 'PUT', authorization, json })));
  const remove = async (path: string): Promise<boolean> => {
    const answer = await send(`${namespace}/${path}`, { method: 'DELETE', authorization });
    if (answer.status === 404) return false;
    expectSuccess(answer);
    return true;
  };
  const list = async (path: string): Promise<readonly string[]> => {
    const names: string[] = [];
    for (let skip = 0; ; skip += PAGE) {
      const page = namesOf(expectSuccess(await send(`${namespace}/${path}?limit=${PAGE}&skip=${skip}`, { authorization })));
      names.push(...page);
      if (page.length < PAGE) return names;
    }
  };

  return {
    origin,
    // The platform answers this one without a key, and so it is asked.
    kinds: async () => kindsOf(expectSuccess(await send(`${origin}/api/v1`))),
    namespaces: async () => namespacesOf(expectSuccess(await send(`${origin}/api/v1/namespaces`, { authorization }))),
    packages: () => list('packages'),
    package: (name) => find(`packages/${encodedName(name)}`),
    putPackage: (name, body) => put(`packages/${encodedName(name)}`, body),
    deletePackage: (name) => remove(`packages/${encodedName(name)}`),
    actions: (packageName) => list(packageName === undefined ? 'actions' : `actions/${encodeURIComponent(packageName)}/`),
    action: (name) => find(`actions/${encodedName(name)}?code=false`),
    putAction: (name, body) => put(`actions/${encodedName(name)}`, body),
    deleteAction: (name) => remove(`actions/${encodedName(name)}`),
  };
}

function deployed(answer: Answer): Deployed {
  const version = field(answer.body, 'version');
  if (typeof version !== 'string') throw unexpected(answer, 'an answer with a version');
  const limits = field(answer.body, 'limits');
  return {
    version,
    annotations: keyValues(field(answer.body, 'annotations')),
    limits: new Map(isRecord(limits) ? Object.entries(limits) : []),
  };
}

function kindsOf(answer: Answer): ReadonlyMap<string, readonly Kind[]> {
  const runtimes = field(answer.body, 'runtimes');
  if (!isRecord(runtimes)) throw unexpected(answer, 'runtimes');
  return new Map(
    Object.entries(runtimes).map(([language, kinds]) => {
      if (!Array.isArray(kinds)) throw unexpected(answer, `a list of kinds under runtimes.${language}`);
      return [language, kinds.map((kind) => kindOf(kind, answer))];
    }),
  );
}

function kindOf(value: unknown, answer: Answer): Kind {
  const kind = field(value, 'kind');
  if (typeof kind !== 'string') throw unexpected(answer, 'a kind in every runtime');
  return { kind, isDefault: field(value, 'default') === true };
}

function namespacesOf(answer: Answer): readonly string[] {
  const names: unknown = answer.body;
  if (Array.isArray(names) && names.length > 0 && names.every((name) => typeof name === 'string')) return names;
  throw unexpected(answer, 'a list with a namespace');
}

/** Names of listed entities; a function of a package says `namespace/package` where it lies. */
function namesOf(answer: Answer): readonly string[] {
  const entities: unknown = answer.body;
  if (!Array.isArray(entities)) throw unexpected(answer, 'a list');
  return entities.map((entity) => {
    const name = field(entity, 'name');
    const place = field(entity, 'namespace');
    if (typeof name !== 'string' || typeof place !== 'string') throw unexpected(answer, 'a name and a namespace in every entry');
    const [, packageName] = place.split('/');
    return packageName === undefined ? name : `${packageName}/${name}`;
  });
}

function keyValues(pairs: unknown): ReadonlyMap<string, unknown> {
  const list: readonly unknown[] = Array.isArray(pairs) ? pairs : [];
  return new Map(list.map((pair) => [String(field(pair, 'key')), field(pair, 'value')]));
}
