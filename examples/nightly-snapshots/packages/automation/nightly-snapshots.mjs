/**
 * Begins a snapshot of every instance that carries the tag, and deletes what is older than the newest `Keep` of those it made of the same instance
 * before. It knows its own by their names; other snapshots, and those of instances without the tag, are none of its business.
 *
 * @param {{ Tag: string, Keep?: number }} event
 * @returns what was begun and deleted; `error`, with which a call counts as failed, where something could not be deleted. The next night tries again.
 */
export async function main({ Tag, Keep = 7 }) {
  if (typeof Tag !== 'string' || Tag === '') throw new Error(`Tag: expected the tag of the instances, got ${JSON.stringify(Tag)}`);
  if (!Number.isSafeInteger(Keep) || Keep < 1) throw new Error(`Keep: expected a whole number from 1, got ${JSON.stringify(Keep)}`);
  const prefix = `${Tag}-nightly-`;
  const { items: begun } = await call('snapshot-instances-tag', { Tag, Name: prefix + new Date().toISOString().slice(0, 10) });
  const instances = (await all('instance-list', { Fields: 'id,tags,snapshot_ids' })).filter(({ tags }) => tags.includes(Tag));
  const images = await all('image-list', { Type: 'user', Fields: 'id,name,created_at' });
  const ours = images.filter(({ name }) => name.startsWith(prefix));
  const surplus = instances.flatMap(({ id, snapshot_ids: ids }) => {
    const action = begun.find(({ resource_id: instance }) => instance === id);
    const made = ours.filter((image) => ids.includes(image.id));
    return surplusOf(made, action, Keep);
  });
  const outcomes = await deleted(surplus);
  const failed = outcomes.filter(({ error }) => error !== undefined);
  return {
    begun: begun.map(({ resource_id: instance }) => instance),
    deleted: outcomes.filter(({ error }) => error === undefined).map(({ name }) => name),
    ...(failed.length > 0 && { error: `not deleted: ${failed.map(({ id, name, error }) => `${name} (${id}): ${error}`).join('; ')}` }),
  };
}

/** The snapshots of one instance that are too many, counting the one that was just begun, whether it is listed yet or not. */
function surplusOf(made, action, keep) {
  const older = made.filter(({ created_at: at }) => action === undefined || at < action.started_at);
  const newestFirst = older.toSorted((one, other) => other.created_at.localeCompare(one.created_at) || other.id - one.id);
  return newestFirst.slice(action === undefined ? keep : keep - 1);
}

/** Deletes images one after the other; one that fails keeps no other from its turn. */
async function deleted(images) {
  const outcomes = [];
  for (const { id, name } of images) {
    try {
      await call('image-delete', { ID: id });
      outcomes.push({ id, name });
    } catch (error) {
      outcomes.push({ id, name, error: error.message });
    }
  }
  return outcomes;
}

/** Every item of a list, page by page. */
async function all(tool, given) {
  const items = [];
  for (let page = 1; page; ) {
    const result = await call(tool, { ...given, Page: page, PerPage: 200 });
    items.push(...result.items);
    page = result.nextPage;
  }
  return items;
}

/** Calls a tool of the router and gives its result. */
async function call(tool, given) {
  const { ROUTER_URL, ROUTER_TOKEN } = process.env;
  const answer = await fetch(`${ROUTER_URL.replace(/\/+$/, '')}/tools/${tool}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${ROUTER_TOKEN}`, 'content-type': 'application/json' },
    body: JSON.stringify(given),
    signal: AbortSignal.timeout(30_000),
  });
  const text = await answer.text();
  const { isError = true, result, error } = text.startsWith('{') ? JSON.parse(text) : {};
  if (isError) throw new Error(error?.message ?? `${tool}: ${answer.status} ${text.slice(0, 200)}`);
  return result;
}
