import fc from 'fast-check';
import { describe, it } from 'vitest';
import { frozenPlatform, type Platform } from '../emulator/platform.ts';
import { openapiPresent, operations } from '../support/openapi.ts';
import { holds } from './holds.ts';
import { hostileText, hostileValue, mutated, record } from './hostile.ts';

/** Names that bodies of the API have. */
const fields = [
  'name',
  'region',
  'size',
  'image',
  'ids',
  'id',
  'type',
  'tags',
  'resources',
  'data',
  'ttl',
  'engine',
  'version',
  'num_nodes',
  'rules',
  'droplet_ids',
  'ip_range',
  'vpc_uuid',
  'config',
  'alerts',
  'target',
  'regions',
] as const;
const bodies = fc.oneof(record(hostileValue, fc.constantFrom(...fields)), hostileValue).map((value) => JSON.stringify(value));

describe.runIf(openapiPresent)('the emulator', () => {
  it('answers any request of the document with a success or a refusal of the API’s form', async () => {
    await using platform = await frozenPlatform();
    const property = fc.asyncProperty(
      fc.constantFrom(...operations()),
      fc.array(fc.oneof(fc.nat(5).map(String), hostileText), { minLength: 3, maxLength: 3 }),
      fc.oneof(bodies, mutated(bodies)),
      fc.option(fc.tuple(fc.constantFrom('page', 'per_page', 'tag_name', 'name', 'type', 'start', 'end'), hostileText)),
      async (operation, segments, body, query) => {
        const [method = '', template = ''] = operation.split(' ');
        let taken = 0;
        const path = template.replace(/\{[^}]+\}/g, () =>
          encodeURIComponent((segments[taken++ % segments.length] || 'x').toWellFormed().slice(0, 500)),
        );
        const asked = query === null ? path : `${path}?${query[0]}=${encodeURIComponent(query[1].toWellFormed().slice(0, 500))}`;
        await refusedOrDone(platform, method, asked, method === 'GET' || method === 'HEAD' ? undefined : body);
      },
    );
    await holds('requests to the emulator', 2500, property);
  });
});

async function refusedOrDone(platform: Platform, method: string, path: string, body: string | undefined): Promise<void> {
  const { status, body: answer } = await platform.call(method, path, body);
  const told = JSON.stringify(answer ?? null);
  if (status >= 500) throw new Error(`${method} ${path}: ${status} ${told.slice(0, 500)}`);
  if (status >= 400 && !(typeof answer?.id === 'string' && typeof answer.message === 'string'))
    throw new Error(`${method} ${path}: ${status} with ${told.slice(0, 500)}`);
  if (told.includes(platform.token)) throw new Error(`${method} ${path}: tells the token`);
}
