import {
  type ActionRecord,
  annotationOf,
  type FunctionRecord,
  fullName,
  isSequence,
  type PackageRecord,
  type Parameter,
  type SequenceRecord,
} from './function-record.ts';

/** How a web function lets callers in: openly, by a shared secret, or with the namespace's own credentials. */
export type WebSecurity =
  | { readonly type: 'open' }
  | { readonly type: 'secret'; readonly secret: string }
  | { readonly type: 'credentials' };

/** What a caller needs to know of whatever it calls, worked out of its record and its package's. */
interface Deployed {
  readonly namespace: string;
  /** `package/name` as it is called by: through a binding, that one's name. */
  readonly fullName: string;
  /** Inputs bound by package and function, the function's winning. */
  readonly bound: Readonly<Record<string, unknown>>;
  /** Inputs that a request may not name. */
  readonly finalKeys: ReadonlySet<string>;
  readonly web: 'no' | 'parsed' | 'raw';
  readonly webSecurity: WebSecurity;
  readonly customOptions: boolean;
}

/** A function with everything an invocation needs to know. */
export interface DeployedFunction extends Deployed {
  readonly record: FunctionRecord;
  /** Two deployments share instances only while this is the same: it stands for the code, its limits and its environment. */
  readonly revision: string;
  readonly env: Readonly<Record<string, string>>;
}

/** A sequence binds no inputs: those of its components are their own. */
export interface DeployedSequence extends Deployed {
  readonly record: SequenceRecord;
}

export type DeployedAction = DeployedFunction | DeployedSequence;

/**
 * Works out how a function or a sequence is invoked (platform reference, functions API: parameters, annotations). `packages` is the one it lies
 * in, followed by the binding it is called through, if any: the parameters of each override those before. Bindings are not served on the web.
 */
export function deployedAction(namespace: string, record: ActionRecord, packages: readonly PackageRecord[]): DeployedAction {
  return isSequence(record) ? deployedSequence(namespace, record, packages) : deployedFunction(namespace, record, packages);
}

export function isDeployedSequence(deployed: DeployedAction): deployed is DeployedSequence {
  return isSequence(deployed.record);
}

function deployedSequence(namespace: string, record: SequenceRecord, packages: readonly PackageRecord[]): DeployedSequence {
  return { namespace, record, ...callable(record, packages), bound: {}, finalKeys: new Set() };
}

function deployedFunction(namespace: string, record: FunctionRecord, packages: readonly PackageRecord[]): DeployedFunction {
  const parameters = [...packages.flatMap((each) => each.parameters), ...record.parameters];
  const bound = Object.fromEntries(parameters.filter((parameter) => !parameter.init).map(({ key, value }) => [key, value]));
  const env = Object.fromEntries(parameters.filter((parameter) => parameter.init).map((parameter) => [parameter.key, toEnv(parameter)]));
  const isFinal = annotationOf(record.annotations, 'final') === true;
  return {
    namespace,
    record,
    ...callable(record, packages),
    revision: JSON.stringify([record.version, record.updatedMs, env]),
    bound,
    env,
    finalKeys: new Set(isFinal ? Object.keys(bound) : []),
  };
}

/** How it is called, and who may call it. */
function callable(
  record: ActionRecord,
  packages: readonly PackageRecord[],
): Pick<Deployed, 'fullName' | 'web' | 'webSecurity' | 'customOptions'> {
  const binding = packages.find((each) => each.binding !== undefined);
  return {
    fullName: fullName({ packageName: binding?.name ?? record.packageName, name: record.name }),
    web: binding ? 'no' : webMode(record),
    webSecurity: webSecurity(record),
    customOptions: annotationOf(record.annotations, 'web-custom-options') === true,
  };
}

function toEnv({ value }: Parameter): string {
  if (!value) return '';
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}

function webMode(record: ActionRecord): Deployed['web'] {
  if (annotationOf(record.annotations, 'web-export') !== true) return 'no';
  return annotationOf(record.annotations, 'raw-http') === true ? 'raw' : 'parsed';
}

function webSecurity(record: ActionRecord): WebSecurity {
  const required = annotationOf(record.annotations, 'require-whisk-auth');
  if (typeof required === 'string' || typeof required === 'number') return { type: 'secret', secret: String(required) };
  return { type: required === true ? 'credentials' : 'open' };
}
