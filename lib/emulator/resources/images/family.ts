import { applications, distributions, type Image, publicImageText } from '../../catalogue/images.ts';
import { badRequest, notFound } from '../../errors.ts';
import { onlyFields, optionalText, requiredText } from '../../fields.ts';
import { emptySource, fixedSource, joinedSource, listReply } from '../../paging.ts';
import type { Account } from '../../store/account.ts';
import type { Source } from '../../store/collection.ts';
import { actionOfReply, actionsOfReply } from '../actions.ts';
import { type Family, route } from '../family.ts';
import { TAGGED_IDS, taggedTotal } from '../tagging.ts';
import { finishImageAction, startImageAction } from './actions.ts';
import { findImage, goneImageTables, images, ownImage, refusePending, updateImage } from './images.ts';
import { continueImport, importImage, toDistribution } from './import.ts';
import { removeImage } from './remove.ts';

/** Own and public images and their actions. Source: operations images_* and imageActions_*. */
export const imageFamily: Family = {
  tables: [...images.tables, ...goneImageTables],
  routes: [
    route('GET /v2/images', {}, (request, account) => listReply(request, 'images', filtered(account, request.query))),
    route('POST /v2/images', { status: 202 }, ({ body }, account) => importImage(account, body)),
    route('GET /v2/images/{image}', {}, ({ params }, account) => {
      const image = findImage(account, params.image);
      if (image === undefined) {
        throw notFound();
      }
      return { image };
    }),
    route('PUT /v2/images/{image}', {}, ({ params, body }, account) => {
      const { wire, hidden } = ownImage(account, params.image);
      onlyFields(body, ['name', 'distribution', 'description']);
      const name = body.name === undefined ? wire.name : requiredText(body, 'name');
      const distribution = optionalText(body, 'distribution');
      const custom = {
        description: optionalText(body, 'description') ?? wire.description,
        distribution: distribution === undefined ? wire.distribution : toDistribution(distribution),
      };
      const image = { ...wire, name, ...(wire.type === 'custom' ? custom : {}) };
      updateImage(account, image, hidden);
      return { image };
    }),
    route('DELETE /v2/images/{image}', { status: 204 }, ({ params }, account) => {
      const image = ownImage(account, params.image);
      refusePending(image);
      removeImage(account, image);
      return undefined;
    }),
    route('POST /v2/images/{image}/actions', { status: 201 }, ({ params, body }, account) =>
      startImageAction(account, ownImage(account, params.image), body),
    ),
    route('GET /v2/images/{image}/actions', {}, (request, account) =>
      actionsOfReply(request, account, 'image', ownImage(account, request.params.image).wire.id),
    ),
    route('GET /v2/images/{image}/actions/{action}', {}, (request, account) =>
      actionOfReply(request, account, 'image', ownImage(account, request.params.image).wire.id),
    ),
  ],
  due: { 'image.import': continueImport, 'image.action': finishImageAction },
  born: (account) => account.count('image.id', FIRST_ID),
};

const FIRST_ID = 100_000_000;

const distributionTexts = fixedSource(distributions.map(textOf));
const applicationTexts = fixedSource(applications.map(textOf));
const publicTexts = joinedSource(applicationTexts, distributionTexts);

/** ?type is not the image's own type: it chooses between the two halves of the catalogue. */
function filtered(account: Account, query: URLSearchParams): Source {
  const tag = query.get('tag_name');
  if (tag !== null) {
    return images.sourceOf(account, taggedTotal(account, tag, 'images'), TAGGED_IDS, tag, 'images');
  }
  const type = query.get('type');
  if (query.get('private') === 'true') {
    return type === null ? images.source(account) : emptySource;
  }
  if (type === null) {
    return joinedSource(images.source(account), publicTexts);
  }
  if (type !== 'distribution' && type !== 'application') {
    throw badRequest(`type must be application or distribution, not ${JSON.stringify(type)}.`);
  }
  return type === 'distribution' ? distributionTexts : applicationTexts;
}

function textOf(image: Image): string {
  return publicImageText(image.id) ?? '{}';
}
