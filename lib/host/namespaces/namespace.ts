import type { DatabaseSync } from 'node:sqlite';
import { ActivationStore } from '../activations/activation-store.ts';
import { EventStreams } from '../activations/event-streams.ts';
import { Invoker } from '../activations/invoker.ts';
import { Throttle, type ThrottleLimits } from '../activations/throttle.ts';
import { FunctionRegistry } from '../functions/function-registry.ts';
import type { Fleet } from '../instances/fleet.ts';

/** What is kept of a namespace. Times in milliseconds since the epoch. */
export interface NamespaceRecord {
  /** `fn-<uuid>`. */
  readonly namespace: string;
  readonly label: string;
  readonly region: string;
  /** `uuid:key`, the two halves of Basic authentication. */
  readonly auth: string;
  readonly createdMs: number;
  readonly updatedMs: number;
}

/** A namespace that is served: its functions, its activations, and the way to call the former. */
export interface Namespace {
  readonly namespace: string;
  readonly record: NamespaceRecord;
  readonly registry: FunctionRegistry;
  readonly activations: ActivationStore;
  readonly events: EventStreams;
  readonly invoker: Invoker;
}

/** Serves a namespace from its record and what the store holds of it. */
export function openNamespace(store: DatabaseSync, record: NamespaceRecord, fleet: Fleet, limits: ThrottleLimits): Namespace {
  const { namespace } = record;
  const activations = new ActivationStore(store, namespace);
  const registry = new FunctionRegistry(store, namespace, fleet);
  const events = new EventStreams(activations);
  const invoker = new Invoker(fleet, activations, namespace, new Throttle(limits));
  return { namespace, record, registry, activations, events, invoker };
}
