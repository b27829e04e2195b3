import type { Image } from '../../catalogue/images.ts';
import { kernels } from '../../catalogue/kernels.ts';
import { emptySource, fixedSource, listReply, wholeReply } from '../../paging.ts';
import type { Account } from '../../store/account.ts';
import type { Source } from '../../store/collection.ts';
import { CLOCK_SET_BACK } from '../../store/machinery.ts';
import { actionOfReply, actionsOfReply } from '../actions.ts';
import { type Family, type PlatformRequest, route } from '../family.ts';
import { images } from '../images/images.ts';
import { TAGGED_IDS, taggedTotal } from '../tagging.ts';
import { makeBackup, planBackupsAnew, policyRecord } from './backups.ts';
import { createDroplets } from './create.ts';
import { droplets, dropletText, knownDroplet, refuseLocked } from './droplets.ts';
import { removeDroplet } from './remove.ts';
import { finishAction, startAction, startActionByTag } from './run-actions.ts';

const FIRST_ID = 100_000_000;

/** Droplets and everything under them. Source: operations droplets_* and dropletActions_*. */
export const dropletFamily: Family = {
  tables: droplets.tables,
  routes: [
    route('GET /v2/droplets', {}, (request, account) => listReply(request, 'droplets', filtered(account, request.query))),
    route('POST /v2/droplets', { status: 202 }, create),
    route('POST /v2/droplets/actions', { status: 201 }, ({ query, body }, account) =>
      startActionByTag(account, query.get('tag_name'), body),
    ),
    route('GET /v2/droplets/{droplet}', {}, ({ params }, account) => `{"droplet":${dropletText(account, params.droplet)}}`),
    route('DELETE /v2/droplets/{droplet}', { status: 204 }, ({ params }, account) => {
      const droplet = knownDroplet(account, params.droplet);
      refuseLocked(droplet);
      removeDroplet(account, droplet);
      return undefined;
    }),
    route('POST /v2/droplets/{droplet}/actions', { status: 201 }, ({ params, body }, account) =>
      startAction(account, knownDroplet(account, params.droplet), body),
    ),
    route('GET /v2/droplets/{droplet}/actions', {}, (request, account) =>
      actionsOfReply(request, account, 'droplet', knownDroplet(account, request.params.droplet).wire.id),
    ),
    route('GET /v2/droplets/{droplet}/actions/{action}', {}, (request, account) =>
      actionOfReply(request, account, 'droplet', knownDroplet(account, request.params.droplet).wire.id),
    ),
    route('GET /v2/droplets/{droplet}/kernels', {}, (request, account) => {
      const { wire } = knownDroplet(account, request.params.droplet);
      return listReply(request, 'kernels', wire.kernel === null ? emptySource : kernelTexts);
    }),
    route('GET /v2/droplets/{droplet}/snapshots', {}, (request, account) => {
      const { wire } = knownDroplet(account, request.params.droplet);
      return listReply(request, 'snapshots', imagesOf(account, wire.snapshot_ids));
    }),
    route('GET /v2/droplets/{droplet}/backups', {}, (request, account) => {
      const { wire } = knownDroplet(account, request.params.droplet);
      return listReply(request, 'backups', imagesOf(account, wire.backup_ids));
    }),
    route('GET /v2/droplets/{droplet}/backups/policy', {}, ({ params }, account) => ({
      policy: policyRecord(knownDroplet(account, params.droplet)),
    })),
    route('GET /v2/droplets/{droplet}/neighbors', {}, ({ params }, account) => {
      knownDroplet(account, params.droplet);
      return wholeReply('droplets', emptySource);
    }),
  ],
  due: { 'droplet.action': finishAction, 'droplet.backup': makeBackup },
  on: { [CLOCK_SET_BACK]: planBackupsAnew },
  born: (account) => account.count('droplet.id', FIRST_ID),
};

const kernelTexts = fixedSource(kernels.map((kernel) => JSON.stringify(kernel)));

function create({ body, origin }: PlatformRequest, account: Account): string {
  const created = createDroplets(account, body);
  const texts = created.map(({ id }) => dropletText(account, id));
  const links = { actions: created.map(({ action: { id } }) => ({ id, rel: 'create', href: `${origin}/v2/actions/${id}` })) };
  const shown = body.names === undefined ? `"droplet":${texts.join('')}` : `"droplets":[${texts.join(',')}]`;
  return `{${shown},"links":${JSON.stringify(links)}}`;
}

/** There are no instances with GPUs here: `type=gpus` finds none, `type=droplets` finds all. */
function filtered(account: Account, query: URLSearchParams): Source {
  const tag = query.get('tag_name');
  if (tag !== null) {
    return droplets.sourceOf(account, taggedTotal(account, tag, 'droplets'), TAGGED_IDS, tag, 'droplets');
  }
  if (query.get('type') === 'gpus') {
    return emptySource;
  }
  const name = query.get('name');
  return name === null ? droplets.source(account) : droplets.sourceWhere(account, 'name', name);
}

function imagesOf(account: Account, ids: readonly number[]): Source {
  return fixedSource(
    ids.toReversed().flatMap((id) => {
      const image = images.get(account, id)?.wire;
      return image === undefined ? [] : [JSON.stringify(ofDroplet(image))];
    }),
  );
}

/** Source: the example of operation droplets_list_backups. */
function ofDroplet({
  id,
  name,
  distribution,
  slug,
  public: isPublic,
  regions,
  created_at,
  min_disk_size,
  size_gigabytes,
  type,
}: Image): object {
  return { id, name, distribution, slug, public: isPublic, regions, created_at, min_disk_size, size_gigabytes, type };
}
