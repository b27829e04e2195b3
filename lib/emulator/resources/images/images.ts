import { messages } from '../../assumptions.ts';
import { timestamp } from '../../calendar.ts';
import { findPublicImage, type Image, publicImageText } from '../../catalogue/images.ts';
import { forbidden, notFound, unprocessable } from '../../errors.ts';
import { integerId } from '../../fields.ts';
import type { Account } from '../../store/account.ts';
import { collection, type Entry } from '../../store/collection.ts';
import { ensureTag, tagResource } from '../tagging.ts';

export interface ImageHidden {
  /** The instance a snapshot or backup was made of. */
  readonly dropletId: number | null;
  readonly pendingActionId: number | null;
  /** What the instance's disk held, for the import's own reckoning. */
  readonly url: string | null;
}

export type ImageEntry = Entry<Image, ImageHidden>;

/** The account's own images; the public ones stand in the catalogue. */
export const images = collection<Image, ImageHidden>({
  table: 'images',
  key: 'integer',
  id: (image) => image.id,
  columns: { type: { of: (image) => image.type, index: 'counted' } },
});

/** Images that are gone, as the instances made of them still show them: the platform's schema has no instance without an image. */
export const goneImageTables: readonly string[] = ['CREATE TABLE gone_images (id INTEGER PRIMARY KEY, doc TEXT NOT NULL)'];

/** An image as JSON text, for splicing into an instance. */
export function imageText(account: Account, id: number): string {
  const gone = (): string => String(account.sql('SELECT doc FROM gone_images WHERE id = ?').get(id)?.doc ?? '{}');
  return publicImageText(id) ?? images.text(account, id) ?? gone();
}

/** An own or public image by id, or a public one by slug; an id may come as text. */
export function findImage(account: Account, reference: unknown): Image | undefined {
  const id = typeof reference === 'number' ? reference : integerId(typeof reference === 'string' ? reference : undefined);
  if (id !== undefined) {
    return images.get(account, id)?.wire ?? findPublicImage(id);
  }
  return typeof reference === 'string' ? findPublicImage(reference) : undefined;
}

/** An image that the account may change. Errors: 404 when there is none, 403 when it is public. */
export function ownImage(account: Account, reference: string | undefined): ImageEntry {
  const id = integerId(reference) ?? 0;
  const entry = images.get(account, id);
  if (entry !== undefined) {
    return entry;
  }
  throw findPublicImage(id) === undefined ? notFound() : forbidden(messages.publicImage);
}

/** Stores a new image under the next id. */
export function addImage(
  account: Account,
  image: Omit<Image, 'id' | 'created_at' | 'public' | 'slug'>,
  hidden: Partial<ImageHidden>,
): Image {
  const tags = image.tags.map((tag) => ensureTag(account, tag));
  const { name, distribution, ...rest } = image;
  const id = account.nextId('image.id');
  const made: Image = { id, name, distribution, slug: null, public: false, created_at: timestamp(account.nowMs), ...rest, tags };
  images.insert(account, made, { dropletId: null, pendingActionId: null, url: null, ...hidden });
  for (const tag of tags) {
    tagResource(account, tag, 'images', id);
  }
  return made;
}

export function updateImage(account: Account, wire: Image, hidden: ImageHidden): void {
  images.update(account, wire, hidden);
  account.shown.forget();
}

/** Refuses whatever would change an image while an action on it is in progress. */
export function refusePending({ hidden }: ImageEntry): void {
  if (hidden.pendingActionId !== null) {
    throw unprocessable(messages.imageInTransfer);
  }
}
