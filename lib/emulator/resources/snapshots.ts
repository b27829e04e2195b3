import type { Image } from '../catalogue/images.ts';
import { notFound } from '../errors.ts';
import { integerId } from '../fields.ts';
import { emptySource, listReply } from '../paging.ts';
import type { Account } from '../store/account.ts';
import type { Source } from '../store/collection.ts';
import { type Family, route } from './family.ts';
import { type ImageEntry, type ImageHidden, images, refusePending } from './images/images.ts';
import { removeImage } from './images/remove.ts';

/** Snapshots of instances, which are images too; there are no volumes here. Source: operations snapshots_*. */
export const snapshotFamily: Family = {
  routes: [
    route('GET /v2/snapshots', {}, (request, account) => {
      const all = request.query.get('resource_type') !== 'volume';
      return listReply(request, 'snapshots', all ? snapshotSource(account) : emptySource);
    }),
    route('GET /v2/snapshots/{snapshot}', {}, ({ params }, account) => {
      const { wire, hidden } = knownSnapshot(account, params.snapshot);
      return { snapshot: toSnapshot(wire, hidden) };
    }),
    route('DELETE /v2/snapshots/{snapshot}', { status: 204 }, ({ params }, account) => {
      const snapshot = knownSnapshot(account, params.snapshot);
      refusePending(snapshot);
      removeImage(account, snapshot);
      return undefined;
    }),
  ],
};

function snapshotSource(account: Account): Source {
  const source = images.sourceWhere(account, 'type', 'snapshot');
  return {
    total: source.total,
    texts: (limit, offset) =>
      source.texts(limit, offset).map((text) => {
        const image: Image = JSON.parse(text);
        return JSON.stringify(toSnapshot(image, images.get(account, image.id)?.hidden));
      }),
  };
}

function toSnapshot(image: Image, hidden: ImageHidden | undefined): object {
  const { id, name, created_at, regions, min_disk_size, size_gigabytes, tags } = image;
  const resource = { resource_id: String(hidden?.dropletId ?? ''), resource_type: 'droplet' };
  return { id: String(id), name, created_at, regions, ...resource, min_disk_size, size_gigabytes, tags };
}

function knownSnapshot(account: Account, id: string | undefined): ImageEntry {
  const image = images.get(account, integerId(id) ?? 0);
  if (image?.wire.type !== 'snapshot') {
    throw notFound();
  }
  return image;
}
