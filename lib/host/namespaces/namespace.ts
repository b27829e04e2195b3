import type { DatabaseSync } from 'node:sqlite';
import type { ActivationEvent } from '../activations/activation-event.ts';
import { ActivationStore } from '../activations/activation-store.ts';
import { EventStreams } from '../activations/event-streams.ts';
import { FunctionCalls } from '../activations/function-calls.ts';
import { Invoker } from '../activations/invoker.ts';
import { SequenceCalls } from '../activations/sequence-calls.ts';
import { Throttle, type ThrottleLimits } from '../activations/throttle.ts';
import { FunctionRegistry } from '../functions/function-registry.ts';
import { HostError } from '../host-error.ts';
import type { Fleet } from '../instances/fleet.ts';
import type { Clock } from '../triggers/clock.ts';
import { runTrigger } from '../triggers/run-trigger.ts';
import { type TriggerRecord, Triggers } from '../triggers/triggers.ts';

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

/** A namespace that is served: its functions, its activations, the way to call the former, and what calls them by the clock. */
export interface Namespace {
  readonly namespace: string;
  readonly record: NamespaceRecord;
  readonly registry: FunctionRegistry;
  readonly activations: ActivationStore;
  readonly events: EventStreams;
  readonly invoker: Invoker;
  readonly triggers: Triggers;
}

/** What every namespace of a host works with. */
export interface NamespaceParts {
  readonly store: DatabaseSync;
  readonly fleet: Fleet;
  readonly limits: ThrottleLimits;
  readonly clock: Clock;
  readonly onActivation: (event: ActivationEvent) => void;
  /** Told in a line of a scheduled run that could not be made, which nobody waits for. */
  readonly onProgress: (line: string) => void;
  readonly onBug: (error: unknown) => void;
}

/** Serves a namespace from its record and what the store holds of it. */
export function openNamespace(
  record: NamespaceRecord,
  { store, fleet, limits, clock, onActivation, onProgress, onBug }: NamespaceParts,
): Namespace {
  const { namespace } = record;
  const activations = new ActivationStore(store, namespace, onBug);
  const registry = new FunctionRegistry(store, namespace, fleet);
  const events = new EventStreams(activations);
  const functions = new FunctionCalls(fleet, activations, namespace);
  const find = registry.function.bind(registry);
  const sequences = new SequenceCalls({ functions, find, activations, namespace, onActivation });
  const invoker = new Invoker(functions, sequences, new Throttle(limits));
  const run = (trigger: TriggerRecord): boolean => {
    try {
      runTrigger(trigger, { registry, invoker, onActivation });
      return true;
    } catch (error) {
      if (error instanceof HostError) onProgress(`trigger ${trigger.name} did not run: ${error.message}`);
      else onBug(error);
      return false;
    }
  };
  return { namespace, record, registry, activations, events, invoker, triggers: new Triggers(store, namespace, clock, run, onBug) };
}

/** Stops what a namespace does by itself. What it is in the middle of is ended by the fleet. */
export function closeNamespace({ triggers, activations, events }: Namespace): void {
  triggers.close();
  activations.close();
  events.close();
}
