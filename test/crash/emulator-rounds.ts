import { setTimeout as after } from 'node:timers/promises';
import { dataDirectory, emulatorProcess } from '../emulator/emulator-process.ts';
import type { Platform } from '../emulator/platform.ts';
import { type Ledger, ledger } from './ledger.ts';
import type { Rounds } from './rounds.ts';

const clients = 4;

/** Some of everything that a write of the emulator can be: a record alone, one with a later effect, one that touches many, one that takes others along. */
interface Books {
  /** Domains by name; the data of their one TXT record. */
  readonly records: Ledger<string>;
  /** Instances by name; their tags. */
  readonly instances: Ledger<string>;
}

/**
 * Kills an emulator by force, again and again on one data directory, while four clients write to it. After each restart every write that was answered is there, what
 * was not answered is there as a whole or not at all, and lists, tags and actions agree with each other.
 */
export async function emulatorRounds(rounds: number, random: () => number): Promise<Rounds> {
  await using data = await dataDirectory();
  const books: Books = { records: ledger(), instances: ledger() };
  const broken: string[] = [];
  const start = () => emulatorProcess(data.path, ['--offline']);
  let running = await start();
  await running.platform.post('/_emulator/reset', { seed: 'empty' });
  try {
    for (let round = 0; round < rounds; round += 1) {
      const { platform, kill } = running;
      const load = Array.from({ length: clients }, (_, client) => work(platform, books, `c${client}-r${round}`));
      await after(20 + random() * 400);
      await kill();
      await Promise.all(load);
      running = await start();
      for (const problem of await problemsOf(running.platform, books)) broken.push(`round ${round}: ${problem}`);
    }
  } finally {
    await running.kill();
  }
  return { rounds, acknowledged: books.records.acknowledged + books.instances.acknowledged, broken };
}

/** Writes until the emulator is gone. */
async function work(platform: Platform, books: Books, name: string): Promise<void> {
  try {
    for (let turn = 0; ; turn += 1) await story(platform, books, `${name}-t${turn}`, turn % 3 === 0);
  } catch (failure) {
    // The connection broke: the write that was under way stays an intention. Anything else is a finding of its own.
    if (!(failure instanceof TypeError)) throw failure;
  }
}

/** A domain whose record changes, and an instance that is tagged and mostly goes again. */
async function story(platform: Platform, { records, instances }: Books, name: string, stays: boolean): Promise<void> {
  const domain = `${name}.example.com`;
  await platform.post('/v2/domains', { name: domain });
  records.intend(domain, 'one');
  const made = await platform.post(`/v2/domains/${domain}/records`, { type: 'TXT', name: '@', data: 'one', ttl: 60 });
  records.answered(domain, made.status === 201);
  records.intend(domain, 'two');
  const changed = await platform.put(`/v2/domains/${domain}/records/${made.body.domain_record.id}`, { type: 'TXT', data: 'two' });
  records.answered(domain, changed.status === 200);

  instances.intend(name, 'crash');
  const body = { name, region: 'nyc3', size: 's-1vcpu-1gb', image: 'ubuntu-24-04-x64', tags: ['crash'] };
  const created = await platform.post('/v2/droplets', body);
  instances.answered(name, created.status === 202);
  const id = String(created.body.droplet.id);
  instances.intend(name, 'crash,more');
  await platform.post('/v2/tags', { name: 'more' });
  const tagged = await platform.post('/v2/tags/more/resources', { resources: [{ resource_id: id, resource_type: 'droplet' }] });
  instances.answered(name, tagged.status === 204);
  if (stays) return;
  instances.intend(name, undefined);
  const deleted = await platform.del(`/v2/droplets/${id}`);
  instances.answered(name, deleted.status === 204);
}

async function problemsOf(platform: Platform, { records, instances }: Books): Promise<readonly string[]> {
  const problems: (string | undefined)[] = [];
  for (const domain of records.names) {
    const { status, body } = await platform.get(`/v2/domains/${domain}/records?type=TXT`);
    problems.push(records.settle(domain, status === 200 ? body.domain_records[0]?.data : undefined));
  }
  const droplets = await all(platform, '/v2/droplets', 'droplets', problems);
  const found = new Map(droplets.map((droplet) => [droplet.name, [...droplet.tags].sort().join(',')]));
  for (const name of instances.names) problems.push(instances.settle(name, found.get(name)));
  for (const tag of ['crash', 'more']) {
    const tagged = await all(platform, `/v2/droplets?tag_name=${tag}`, 'droplets', problems);
    const { body } = await platform.get(`/v2/tags/${tag}`);
    const counted = body.tag?.resources.droplets.count ?? 0;
    const carrying = droplets.filter(({ tags }) => tags.includes(tag)).length;
    if (counted !== carrying || tagged.length !== carrying)
      problems.push(`tag ${tag}: counts ${counted}, lists ${tagged.length}, is on ${carrying}`);
  }
  const actions = await all(platform, '/v2/actions', 'actions', problems);
  const begun = new Set(actions.filter(({ type }) => type === 'create').map(({ resource_id }) => resource_id));
  for (const { id, name } of droplets) if (!begun.has(id)) problems.push(`${name}: is there without the action that made it`);
  return problems.filter((problem) => problem !== undefined);
}

/** A whole list, page by page; that it holds as many as it says is a rule too. */
async function all(platform: Platform, path: string, key: string, problems: (string | undefined)[]) {
  const items = [];
  for (let page = 1; ; page += 1) {
    const { body } = await platform.get(`${path}${path.includes('?') ? '&' : '?'}per_page=50&page=${page}`);
    items.push(...body[key]);
    if (items.length >= body.meta.total || body[key].length === 0) {
      if (items.length !== body.meta.total) problems.push(`${path}: says ${body.meta.total}, lists ${items.length}`);
      return items;
    }
  }
}
