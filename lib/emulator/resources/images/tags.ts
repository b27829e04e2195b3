import type { Account } from '../../store/account.ts';
import { tagResource, untagResource } from '../tagging.ts';
import { images, updateImage } from './images.ts';

/** Puts a tag on an image or takes it off; false when there is no such image. */
export function setImageTag(account: Account, id: number, tag: string, on: boolean): boolean {
  const image = images.get(account, id);
  if (image === undefined) {
    return false;
  }
  const changed = on ? tagResource(account, tag, 'images', id) : untagResource(account, tag, 'images', id);
  if (changed) {
    const others = image.wire.tags.filter((other) => other !== tag);
    updateImage(account, { ...image.wire, tags: on ? [...others, tag] : others }, image.hidden);
  }
  return true;
}
