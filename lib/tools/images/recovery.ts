import type { NextCall } from '../../errors.ts';

interface OnImage {
  readonly ID: number;
}

export const listOwnImages: NextCall = { tool: 'image-list', arguments: { Type: 'user' } };

/** What was set going lately, newest first: an image shows nothing of it until it is over. */
export const listActions: NextCall = { tool: 'action-list', arguments: {} };

/** The image as it stands: its status, regions and type. */
export function showImage({ ID }: OnImage): NextCall {
  return { tool: 'image-get', arguments: { ID } };
}

export const imageRecovery = [
  { when: /^40[34]/, next: () => [listOwnImages] },
  { when: /pending event/i, next: (input: OnImage) => [showImage(input), { tool: 'action-list', arguments: { PerPage: 5 } }] },
];
