import { annotationOf, type FunctionRecord, fullName, type PackageRecord, type Parameter } from './function-record.ts';

/** How a web function lets callers in: openly, by a shared secret, or with the namespace's own credentials. */
export type WebSecurity =
  | { readonly type: 'open' }
  | { readonly type: 'secret'; readonly secret: string }
  | { readonly type: 'credentials' };

/** A function with everything an invocation needs to know already worked out of its record and its package's. */
export interface DeployedFunction {
  readonly namespace: string;
  readonly record: FunctionRecord;
  /** `package/name` as it is called by: through a binding, that one's name. */
  readonly fullName: string;
  /** Two deployments share instances only while this is the same: it stands for the code, its limits and its environment. */
  readonly revision: string;
  /** Inputs bound by package and function, the function's winning. */
  readonly bound: Readonly<Record<string, unknown>>;
  readonly env: Readonly<Record<string, string>>;
  /** Inputs that a request may not name. */
  readonly finalKeys: ReadonlySet<string>;
  readonly web: 'no' | 'parsed' | 'raw';
  readonly webSecurity: WebSecurity;
  readonly customOptions: boolean;
}

/**
 * Works out how a function is invoked (platform reference, functions API: parameters, annotations). `packages` is the one it lies in, followed
 * by the binding it is called through, if any: the parameters of each override those before. Bindings are not served on the web.
 */
export function deployedFunction(namespace: string, record: FunctionRecord, packages: readonly PackageRecord[]): DeployedFunction {
  const parameters = [...packages.flatMap((each) => each.parameters), ...record.parameters];
  const binding = packages.find((each) => each.binding !== undefined);
  const bound = Object.fromEntries(parameters.filter((parameter) => !parameter.init).map(({ key, value }) => [key, value]));
  const env = Object.fromEntries(parameters.filter((parameter) => parameter.init).map((parameter) => [parameter.key, toEnv(parameter)]));
  const isFinal = annotationOf(record.annotations, 'final') === true;
  return {
    namespace,
    record,
    fullName: fullName({ packageName: binding?.name ?? record.packageName, name: record.name }),
    revision: JSON.stringify([record.version, record.updatedMs, env]),
    bound,
    env,
    finalKeys: new Set(isFinal ? Object.keys(bound) : []),
    web: binding ? 'no' : webMode(record),
    webSecurity: webSecurity(record),
    customOptions: annotationOf(record.annotations, 'web-custom-options') === true,
  };
}

function toEnv({ value }: Parameter): string {
  if (!value) return '';
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}

function webMode(record: FunctionRecord): DeployedFunction['web'] {
  if (annotationOf(record.annotations, 'web-export') !== true) return 'no';
  return annotationOf(record.annotations, 'raw-http') === true ? 'raw' : 'parsed';
}

function webSecurity(record: FunctionRecord): WebSecurity {
  const required = annotationOf(record.annotations, 'require-whisk-auth');
  if (typeof required === 'string' || typeof required === 'number') return { type: 'secret', secret: String(required) };
  return { type: required === true ? 'credentials' : 'open' };
}
