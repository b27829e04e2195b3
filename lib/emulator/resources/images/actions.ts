import { messages } from '../../assumptions.ts';
import { findRegion } from '../../catalogue/regions.ts';
import { unprocessable } from '../../errors.ts';
import { type JsonObject, onlyFields, requiredText } from '../../fields.ts';
import type { Account } from '../../store/account.ts';
import { actionText, beginAction, type Ending, endAction } from '../actions.ts';
import { moveToSnapshots } from '../droplets/image-links.ts';
import { type ImageEntry, images, refusePending, updateImage } from './images.ts';

/** Transfers an image to another region, or turns a backup into a snapshot. Source: operation imageActions_post. */
export function startImageAction(account: Account, image: ImageEntry, body: JsonObject): string {
  onlyFields(body, ['type', 'region']);
  const type = requiredText(body, 'type');
  const start = STARTS.get(type);
  if (start === undefined) {
    throw unprocessable(messages.actionUnknown);
  }
  refusePending(image);
  const region = start(image, body);
  const action = beginAction(account, {
    type,
    resourceType: 'image',
    resourceId: image.wire.id,
    region: region ?? image.wire.regions[0] ?? '',
    due: 'image.action',
    params: { type, region },
  });
  updateImage(account, image.wire, { ...image.hidden, pendingActionId: action.id });
  return `{"action":${actionText(action)}}`;
}

/** The end of an action on an image. */
export function finishImageAction(account: Account, ref: string, data: unknown): void {
  // The row was written by beginAction.
  const ending = data as Ending & { readonly params: { readonly type: string; readonly region?: string } };
  const image = images.get(account, Number(ref));
  endAction(account, ending);
  if (image === undefined) {
    return;
  }
  const { wire, hidden } = image;
  const idle = { ...hidden, pendingActionId: null };
  if (ending.fails) {
    updateImage(account, wire, idle);
  } else if (ending.params.type === 'convert') {
    updateImage(account, { ...wire, type: 'snapshot' }, idle);
    if (hidden.dropletId !== null) {
      moveToSnapshots(account, hidden.dropletId, wire.id);
    }
  } else {
    updateImage(account, { ...wire, regions: [...wire.regions, ending.params.region ?? ''] }, idle);
  }
}

/** Checks an action and gives the region it is about, if it is about one. */
type Start = (image: ImageEntry, body: JsonObject) => string | undefined;

const STARTS: ReadonlyMap<string, Start> = new Map<string, Start>([
  ['transfer', startTransfer],
  ['convert', startConversion],
]);

function startTransfer({ wire }: ImageEntry, body: JsonObject): string {
  const region = requiredText(body, 'region');
  if (wire.status !== 'available') {
    throw unprocessable(messages.imageNotTransferable);
  }
  if (findRegion(region)?.available !== true) {
    throw unprocessable(messages.regionUnavailable);
  }
  if (wire.regions.includes(region)) {
    throw unprocessable(messages.imageInRegion);
  }
  return region;
}

function startConversion({ wire }: ImageEntry): undefined {
  if (wire.type !== 'backup') {
    throw unprocessable(messages.convertOnlyBackups);
  }
  return undefined;
}
