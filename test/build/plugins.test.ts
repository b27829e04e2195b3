import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { buildFunction } from '../../build/bundle.ts';
import { type Project, project } from './project.ts';

let router: Project;

beforeEach(() => {
  router = project();
});

afterEach(() => router.remove());

describe('virtual:tool-listing', () => {
  beforeEach(() => {
    router.write('../../../lib/catalogue/listing.ts', listingSource);
    router.write('../../../lib/catalogue/search/render-index.ts', indexSource);
    router.write('../../../lib/tools/dns.ts', toolSource('dns-list'));
    router.write('tools.ts', "import { dns } from '../../../lib/tools/dns.ts';\nexport const toolsets = [dns];");
    router.write(
      'index.ts',
      `import { listing } from 'virtual:tool-listing';
       import { toolsets } from './tools.ts';
       const handler = (event: { readonly schema?: boolean }) => ({ body: event.schema ? toolsets[0]?.tools[0]?.input() : JSON.parse(listing) });
       export const main = handler;`,
    );
  });

  it('is the text made of the declarations in tools.ts, and zod stays out', async () => {
    const { sizeBytes } = await buildFunction(router.folder);
    expect(await router.run('main({})')).toEqual({ body: [{ name: 'dns-list', properties: ['Zone'] }] });
    expect(sizeBytes).toBeLessThan(2000);
  });

  it('has an index to search in made of the same', async () => {
    router.write(
      'index.ts',
      `import { searchIndex } from 'virtual:search-index';
       const handler = () => JSON.parse(searchIndex);
       export const main = handler;`,
    );
    await buildFunction(router.folder);
    expect(await router.run('main()')).toEqual({ names: ['dns-list'], listed: 1 });
  });

  it('has the outline of a toolset in a folder of its own, and evaluates its declarations once somebody looks at its tools', async () => {
    const declared = `globalThis.evaluated = (globalThis.evaluated ?? 0) + 1;
      export const dns = { name: 'dns', title: 'Names', tools: [{ name: 'dns-list', alsoCalled: ['dns-ls'], input: () => ({}) }] };`;
    router.write('../../../lib/tools/dns/index.ts', declared);
    router.write('../../../lib/catalogue/listing.ts', 'export const renderListing = () => "[]";');
    router.write('tools.ts', "import { dns } from '../../../lib/tools/dns/index.ts';\nexport const toolsets = [dns];");
    router.write(
      'index.ts',
      `import { listing } from 'virtual:tool-listing';
       import { toolsets } from './tools.ts';
       const handler = () => [listing, toolsets[0], globalThis.evaluated, toolsets[0].tools.length, toolsets[0].tools.length, globalThis.evaluated];
       export const main = handler;`,
    );
    await buildFunction(router.folder);
    const script = '(([text, { name, title, outline }, ...evaluated]) => ({ name, title, outline, evaluated }))(main())';
    expect(await router.run(script)).toEqual({
      name: 'dns',
      title: 'Names',
      outline: { listed: ['dns-list'], unlisted: ['dns-ls'] },
      evaluated: [null, 1, 1, 1],
    });
  });

  it('follows the declarations within one process', async () => {
    await buildFunction(router.folder);
    router.write('../../../lib/tools/dns.ts', toolSource('dns-show'));
    expect(await buildFunction(router.folder)).toMatchObject({ rebuilt: true });
    expect(await router.run('main({})')).toEqual({ body: [{ name: 'dns-show', properties: ['Zone'] }] });
  });

  it('is made again when only what renders it has changed', async () => {
    await buildFunction(router.folder);
    router.write('../../../lib/catalogue/listing.ts', listingSource.replace('tool.name', 'tool.name.toUpperCase()'));
    expect(await buildFunction(router.folder)).toMatchObject({ rebuilt: true });
    expect(await router.run('main({})')).toEqual({ body: [{ name: 'DNS-LIST', properties: ['Zone'] }] });
  });

  it('tells what builds a schema in a bundle that there is no zod', async () => {
    await buildFunction(router.folder);
    expect(await router.run('(async () => main({ schema: true }))().catch((error) => error.message)')).toMatch(
      /^z\.object: a bundle has no zod/,
    );
  });

  it('fails the build when a declaration throws, with its words', async () => {
    router.write('../../../lib/tools/dns.ts', "throw new Error('no such field');\nexport const dns = {};");
    await expect(buildFunction(router.folder)).rejects.toThrow('no such field');
  });

  it('fails the build when there is no tools.ts, saying what belongs there', async () => {
    router.write(
      'index.ts',
      "import { listing } from 'virtual:tool-listing';\nconst handler = () => listing;\nexport const main = handler;",
    );
    rmSync(join(router.folder, 'tools.ts'));
    await expect(buildFunction(router.folder)).rejects.toThrow(/tools\.ts is missing: a function that imports virtual:tool-listing/);
  });
});

const toolSource = (name: string) => `
  import { z } from 'zod';
  export const dns = { tools: [{ name: '${name}', input: () => z.object({ Zone: z.string() }) }] } as const;`;

const indexSource = `
  interface Toolset { readonly tools: readonly { readonly name: string }[] }
  export function renderSearchIndex(toolsets: readonly Toolset[], listing: string): string {
    return JSON.stringify({ names: toolsets.flatMap(({ tools }) => tools.map(({ name }) => name)), listed: JSON.parse(listing).length });
  }`;

const listingSource = `
  import { z } from 'zod';
  interface Tool { readonly name: string; readonly input: () => z.ZodObject }
  export function renderListing(toolsets: readonly { readonly tools: readonly Tool[] }[]): string {
    const all = toolsets.flatMap(({ tools }) => tools);
    return JSON.stringify(all.map((tool) => ({ name: tool.name, properties: Object.keys(z.toJSONSchema(tool.input()).properties ?? {}) })));
  }`;
