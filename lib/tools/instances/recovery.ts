import type { NextCall } from '../../errors.ts';

interface OnInstance {
  readonly ID: number;
}

export const listInstances: NextCall = { tool: 'instance-list', arguments: {} };
export const listImages: NextCall = { tool: 'image-list', arguments: {} };
export const listSizes: NextCall = { tool: 'size-list', arguments: {} };

/** What was set going lately, newest first: it stays there when it is over, where the instance may look as before. */
export const listActions: NextCall = { tool: 'action-list', arguments: {} };

/** The instance as it stands: its power state, what it is doing, its size and image. */
export function showInstance({ ID }: OnInstance): NextCall {
  return { tool: 'instance-get', arguments: { ID } };
}

/** The ways out of what the platform refuses on an instance, by the words of its message; the first that matches is told. */
export const instanceRecovery = [
  { when: /^404/, next: () => [listInstances] },
  { when: /pending event/i, next: (input: OnInstance) => [showInstance(input), { tool: 'action-list', arguments: { PerPage: 5 } }] },
  { when: /must be powered off|must be off/i, next: ({ ID }: OnInstance) => [{ tool: 'power-off-instance', arguments: { ID } }] },
  { when: /currently powered off/i, next: ({ ID }: OnInstance) => [{ tool: 'power-on-instance', arguments: { ID } }] },
  { when: /already powered/i, next: (input: OnInstance) => [showInstance(input)] },
  { when: /\bsize\b/i, next: (input: OnInstance) => [listSizes, showInstance(input)] },
  { when: /\bimage\b/i, next: () => [listImages] },
];
