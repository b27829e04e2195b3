import { type ActionRecord, isSequence } from '../functions/function-record.ts';
import type { Content } from './read-content.ts';

/** A function or a sequence as clients are told it, without its code. */
export function wireAction(record: ActionRecord, namespace: string): Content {
  const { packageName, name, version, publish, updatedMs, annotations, parameters, limits } = record;
  const where = packageName === '' ? namespace : `${namespace}/${packageName}`;
  return {
    namespace: where,
    name,
    version,
    publish,
    updated: updatedMs,
    annotations,
    parameters,
    limits,
    exec: wireExec(record, namespace),
  };
}

export function wireExec(record: ActionRecord, namespace: string): Content {
  if (isSequence(record)) return { kind: record.kind, components: record.components.map((name) => wireComponent(name, namespace)) };
  const { kind, binary, main } = record;
  return { kind, binary, ...(main !== undefined && { main }) };
}

/** A component as clients are told it. */
export function wireComponent(name: string, namespace: string): string {
  return `/${namespace}/${name}`;
}
