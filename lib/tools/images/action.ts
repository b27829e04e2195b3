import { z } from 'zod';
import { id, regionSlug } from '../../catalogue/fields.ts';
import { path } from '../../catalogue/path.ts';
import { type Follow, tool } from '../../catalogue/tool.ts';
import { imageRecovery, listActions, showImage } from './recovery.ts';

/** An action on an image, to its end. */
const followAction: Follow<{ readonly ID: number }> = {
  path: ({ ID }, action) => path`/v2/images/${ID}/actions/${String(action.id)}`,
  returns: 'action',
  pending: ['in-progress'],
  next: ({ ID }, action) => ({ tool: 'image-action-get', arguments: { ImageID: ID, ActionID: action.id } }),
};

/** What every action on one image shares. */
const onImage = {
  route: 'POST /v2/images/{ID}/actions',
  returns: 'action',
  verify: (input: { readonly ID: number }) => [listActions, showImage(input)],
  recover: imageRecovery,
  follow: followAction,
  hints: { idempotent: true },
} as const;

export const imageActionTools = [
  tool({
    name: 'image-action-transfer',
    title: 'Copy an image to a region',
    description: 'Makes one of your own images available in another region too.',
    input: () => z.object({ ID: id(), Region: regionSlug() }),
    ...onImage,
    body: ({ Region }) => ({ type: 'transfer', region: Region }),
  }),
  tool({
    name: 'image-action-convert',
    title: 'Convert a backup to a snapshot',
    description: 'Turns a backup into a snapshot, which stays when the instance is deleted.',
    input: () => z.object({ ID: id() }),
    ...onImage,
    body: () => ({ type: 'convert' }),
  }),
  tool({
    name: 'image-action-get',
    title: 'Get an action of an image',
    description: 'One action of an image: in-progress, completed or errored.',
    input: () => z.object({ ImageID: id(), ActionID: id() }),
    route: 'GET /v2/images/{ImageID}/actions/{ActionID}',
    returns: 'action',
    recover: [{ when: /^404/, next: ({ ImageID }) => [{ tool: 'image-get', arguments: { ID: ImageID } }] }],
  }),
];
