import { notFound, unprocessable } from '../errors.ts';
import { integerId, type JsonObject, objects, onlyFields, requiredText } from '../fields.ts';
import { listReply } from '../paging.ts';
import type { Account } from '../store/account.ts';
import { setDropletTag } from './droplets/tags.ts';
import { type Family, type PlatformRequest, route } from './family.ts';
import { setImageTag } from './images/tags.ts';
import { dropTag, ensureTag, tagExists, taggedIds, taggingTables, tags } from './tagging.ts';

/** Tags and what they are on. Source: operations tags_*. */
export const tagFamily: Family = {
  tables: taggingTables,
  routes: [
    route('GET /v2/tags', {}, (request, account) => listReply(request, 'tags', tags.source(account))),
    route('POST /v2/tags', { status: 201 }, ({ body }, account) => {
      onlyFields(body, ['name', 'resources']);
      const name = ensureTag(account, requiredText(body, 'name'));
      return `{"tag":${tags.text(account, name)}}`;
    }),
    route('GET /v2/tags/{tag}', {}, ({ params }, account) => `{"tag":${tags.text(account, knownTag(account, params.tag))}}`),
    route('DELETE /v2/tags/{tag}', { status: 204 }, ({ params }, account) => {
      const tag = knownTag(account, params.tag);
      for (const id of taggedIds(account, tag, 'droplets')) {
        setDropletTag(account, Number(id), tag, false);
      }
      for (const id of taggedIds(account, tag, 'images')) {
        setImageTag(account, Number(id), tag, false);
      }
      account.announce('tag.deleted', tag);
      dropTag(account, tag);
      return undefined;
    }),
    route('POST /v2/tags/{tag}/resources', { status: 204 }, (request, account) => setTags(request, account, true)),
    route('DELETE /v2/tags/{tag}/resources', { status: 204 }, (request, account) => setTags(request, account, false)),
  ],
};

/** Tagging by resource type; the other two types of the platform, volumes and their snapshots, do not exist here. */
const SETTERS: Readonly<Record<string, (account: Account, id: number, tag: string, on: boolean) => boolean>> = {
  droplet: setDropletTag,
  image: setImageTag,
};

function setTags({ params, body }: PlatformRequest, account: Account, on: boolean): undefined {
  const tag = knownTag(account, params.tag);
  onlyFields(body, ['resources']);
  for (const resource of objects(body, 'resources')) {
    onlyFields(resource, ['resource_id', 'resource_type'], 'resources: ');
    const type = requiredText(resource, 'resource_type');
    if (!['droplet', 'image', 'volume', 'volume_snapshot'].includes(type)) {
      throw unprocessable(`${JSON.stringify(type)} is not a resource type that can be tagged.`);
    }
    const id = integerId(resourceId(resource));
    if (id === undefined || SETTERS[type]?.(account, id, tag, on) !== true) {
      throw notFound();
    }
  }
  return undefined;
}

/** An id is a text here, whatever it is elsewhere; a number is taken too. */
function resourceId(resource: JsonObject): string {
  return typeof resource.resource_id === 'number' ? String(resource.resource_id) : requiredText(resource, 'resource_id');
}

function knownTag(account: Account, tag = ''): string {
  if (!tagExists(account, tag)) {
    throw notFound();
  }
  return tag;
}
