import { fullName, isSequence, type SequenceRecord } from '../functions/function-record.ts';
import type { FunctionRegistry } from '../functions/function-registry.ts';
import { HostError } from '../host-error.ts';
import { hostLimits } from '../limits.ts';
import { type Content, malformed } from './read-content.ts';

/** The `exec` part of a sequence, understood. */
export type Sequence = Pick<SequenceRecord, 'kind' | 'components'>;

/** Reads `exec.components`: names with a namespace, which is the caller's, also as `_`. Returns them without it. HostError `bad_request`. */
export function readComponents({ components }: Content, namespace: string): readonly string[] {
  if (!Array.isArray(components)) throw malformed('exec.components', 'a list of /namespace/package/function', components);
  return components.map((component: unknown, index) => {
    const [owner, ...names] = typeof component === 'string' ? component.replace(/^\//, '').split('/') : [];
    const inPackage = names.length === 2 && names[0] === 'default' ? names.slice(1) : names;
    const isOwn = owner === '_' || owner === namespace;
    if (isOwn && inPackage.length > 0 && inPackage.length <= 2 && !inPackage.includes('')) return inPackage.join('/');
    throw malformed(`exec.components[${index}]`, `/_/package/function or /_/function, in this namespace`, component);
  });
}

/**
 * Checks that a sequence can be called: its components are there, it does not come back to itself, and it is not too long with all that its
 * components call. HostError `bad_request`, in upstream's words.
 */
export function checkComponents(
  registry: FunctionRegistry,
  named: { readonly packageName: string; readonly name: string },
  components: readonly string[],
): void {
  if (components.length === 0) throw refused('No component specified for the sequence.');
  countFunctions(registry, fullName(named), components, 1);
}

function countFunctions(registry: FunctionRegistry, whole: string, components: readonly string[], depth: number): number {
  let count = 0;
  for (const component of components) {
    const found = registry.function(component)?.record;
    // Through a binding it has another name.
    if (component === whole || (found && fullName(found) === whole)) throw refused(`Sequence may not refer to itself: ${component}.`);
    if (!found) throw refused(`Sequence component does not exist: ${component}.`);
    if (depth > hostLimits.sequenceLength) throw tooLong();
    count += isSequence(found) ? countFunctions(registry, whole, found.components, depth + 1) : 1;
    if (count > hostLimits.sequenceLength) throw tooLong();
  }
  return count;
}

function tooLong(): HostError {
  return refused(`Too many actions in the sequence: more than ${hostLimits.sequenceLength}.`);
}

function refused(message: string): HostError {
  return new HostError('bad_request', message);
}
