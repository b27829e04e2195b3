export const sequenceKind = 'sequence';

/** A parameter bound to a function or package. `init: true` makes it an environment variable instead of an input. */
export interface Parameter {
  readonly key: string;
  readonly value: unknown;
  readonly init?: true;
}

export interface Annotation {
  readonly key: string;
  readonly value: unknown;
}

/** Limits under the platform's own names: `timeout` in milliseconds, `memory` in MiB, `logs` in MB. */
export interface Limits {
  readonly timeout: number;
  readonly memory: number;
  readonly logs: number;
  readonly concurrency: 1;
}

/** What is kept of whatever can be called. `packageName` is `''` for the default package. */
interface CallableRecord {
  readonly packageName: string;
  readonly name: string;
  readonly version: string;
  readonly updatedMs: number;
  readonly publish: boolean;
  readonly annotations: readonly Annotation[];
  readonly parameters: readonly Parameter[];
  readonly limits: Limits;
}

/** A function as it is kept; the code itself is kept apart, under its digest. */
export interface FunctionRecord extends CallableRecord {
  readonly kind: string;
  readonly main?: string;
  readonly binary: boolean;
  readonly digest: string;
}

/** A sequence as it is kept: `components` are called one after the other, each by the name it has in the namespace, `package/name`. */
export interface SequenceRecord extends CallableRecord {
  readonly kind: typeof sequenceKind;
  readonly components: readonly string[];
}

/** What the platform calls an action. */
export type ActionRecord = FunctionRecord | SequenceRecord;

export interface PackageRecord {
  readonly name: string;
  readonly version: string;
  readonly updatedMs: number;
  readonly publish: boolean;
  readonly annotations: readonly Annotation[];
  readonly parameters: readonly Parameter[];
  /** The package of this namespace that this one stands for: it has that one's functions, under its own parameters. */
  readonly binding?: string;
}

/** `package/name`, or the bare name in the default package: how people and logs call a function. */
export function fullName(record: { readonly packageName: string; readonly name: string }): string {
  return record.packageName === '' ? record.name : `${record.packageName}/${record.name}`;
}

export function isSequence(record: ActionRecord): record is SequenceRecord {
  return record.kind === sequenceKind;
}

/** The value of an annotation, or undefined. */
export function annotationOf(annotations: readonly Annotation[], key: string): unknown {
  return annotations.find((annotation) => annotation.key === key)?.value;
}

/** The version after `version`: the patch number plus one, as the platform counts updates. */
export function nextVersion(version: string | undefined): string {
  if (version === undefined) return '0.0.1';
  const [major = '0', minor = '0', patch = '0'] = version.split('.');
  return `${major}.${minor}.${Number(patch) + 1}`;
}
