import { mkdirSync, readdirSync, readFileSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { buildFunction, main } from '../../build/bundle.ts';
import { type Project, project } from './project.ts';

let router: Project;

beforeEach(() => {
  router = project();
  router.write('errors.ts', 'export class ToolError extends Error { readonly code: string = "conflict"; }');
  router.write(
    'index.ts',
    `import { ToolError } from './errors.ts';
     interface Event { readonly fail?: boolean; readonly lazy?: boolean }
     const handler = async (event: Event): Promise<unknown> => {
       if (!event.lazy) return { body: 'quick' };
       const { answer } = await import('./lazy.ts');
       try { return answer(event.fail ?? false); }
       catch (error) { return { sameClass: error instanceof ToolError }; }
     };
     export const main = handler;`,
  );
  router.write(
    'lazy.ts',
    `import { ToolError } from './errors.ts';
     declare global { var evaluations: number | undefined }
     globalThis.evaluations = (globalThis.evaluations ?? 0) + 1;
     export function answer(fail: boolean): unknown {
       if (fail) throw new ToolError('no');
       return { body: 'lazy' };
     }`,
  );
});

afterEach(() => router.remove());

describe('the bundle of a function', () => {
  it('is one CommonJS file that exports main in so many words', async () => {
    expect(router.build()).toMatchObject({ status: 0 });
    expect(readFileSync(join(router.folder, 'bundle.js'), 'utf8')).toMatch(/^exports\.main = /m);
    expect(readdirSync(router.folder).filter((name) => /\.[cm]?js$/.test(name))).toEqual(['bundle.js']);
    expect(await router.run('main({})')).toEqual({ body: 'quick' });
  });

  it('leaves what stands behind an import() unevaluated until it is called for, and evaluates it once', async () => {
    router.build();
    const steps =
      '[globalThis.evaluations, await main({}), globalThis.evaluations, await main({ lazy: true }), await main({ lazy: true }), evaluations]';
    expect(await router.run(`(async () => ${steps})()`)).toEqual([null, { body: 'quick' }, null, { body: 'lazy' }, { body: 'lazy' }, 1]);
  });

  it('has each module once, however it is reached', async () => {
    router.build();
    expect(await router.run('main({ lazy: true, fail: true })')).toEqual({ sameClass: true });
  });

  it('tries a lazy part again that failed to load', async () => {
    router.write('lazy.ts', 'if (!globalThis.ready) throw new Error("not yet"); export const answer = () => "now";');
    router.build();
    expect(
      await router.run(
        `(async () => [await main({ lazy: true }).catch((e) => e.message), globalThis.ready = true, await main({ lazy: true })])()`,
      ),
    ).toEqual(['not yet', true, 'now']);
  });

  it('has V8 skim no lazy part, and gives each back to the letter', async () => {
    router.write('lazy.ts', "// a * / b */ c\nexport const answer = () => [/\\/*\\/é/u.test('/é'), '*/*', `é*/—`, '\\u{1f40b}', '🐋'];");
    router.build();
    const bundle = readFileSync(join(router.folder, 'bundle.js'), 'latin1');
    expect(bundle).not.toMatch(/[^\0-\x7f]/);
    expect(bundle.replace(/\/\*[\s\S]*?\*\//g, '')).not.toContain('answer =');
    expect(await router.run('main({ lazy: true })')).toEqual([true, '*/*', 'é*/—', '🐋', '🐋']);
  });

  it('needs no second file where nothing is lazy', async () => {
    router.write('index.ts', 'const handler = () => ({ body: 1 as number });\nexport const main = handler;');
    router.build();
    expect(await router.run('main({})')).toEqual({ body: 1 });
  });

  it('takes zod in without a word about its two harmless warnings', async () => {
    router.write(
      'lazy.ts',
      "import { z } from 'zod';\nexport const answer = () => ({ body: z.email().safeParse('a@example.com').success });",
    );
    expect(router.build()).toMatchObject({ status: 0, stderr: expect.not.stringMatching(/circular|annotation/i) });
    expect(await router.run('main({ lazy: true })')).toEqual({ body: true });
  });

  it('fails on a warning, such as our own modules importing each other in a circle', () => {
    router.write('errors.ts', 'import { main } from "./index.ts"; export class ToolError extends Error { readonly handler = main; }');
    const { status, stderr } = router.build();
    expect(status).toBe(1);
    expect(stderr).toContain('Circular dependency');
  });
});

describe('a bundle that cannot be written', () => {
  it('ends the build in a sentence that names it, and leaves nothing beside it', async () => {
    mkdirSync(join(router.folder, 'bundle.js'));
    const before = readdirSync(router.folder);
    const told = vi.spyOn(process.stderr, 'write').mockReturnValue(true);
    onTestFinished(() => told.mockRestore());
    expect(await main(join(router.folder, '../../..'))).toBe(1);
    expect(told.mock.calls.flat()).toEqual([expect.stringContaining(`${join(router.folder, 'bundle.js')} cannot be written: EISDIR`)]);
    expect(readdirSync(router.folder)).toEqual(before);
  });
});

describe('an unchanged function', () => {
  it('is not built again, whether by npm run build or in process', async () => {
    router.build();
    expect(router.build()).toMatchObject({ status: 0, stderr: 'bundle.js is up to date\n' });
    expect(await buildFunction(router.folder)).toMatchObject({ name: 'gateway/router', rebuilt: false });
  });

  it('is known by content: a checkout that sets new times changes nothing', async () => {
    await buildFunction(router.folder);
    utimesSync(join(router.folder, 'lazy.ts'), new Date(0), new Date(0));
    expect(await buildFunction(router.folder)).toMatchObject({ rebuilt: false });
  });

  it('is built again when a source was saved while the last build ran', async () => {
    const later = new Date(Date.now() + 3_600_000);
    utimesSync(join(router.folder, 'lazy.ts'), later, later);
    await buildFunction(router.folder);
    utimesSync(join(router.folder, 'lazy.ts'), new Date(0), new Date(0));
    expect(await buildFunction(router.folder)).toMatchObject({ rebuilt: true });
    expect(await buildFunction(router.folder)).toMatchObject({ rebuilt: false });
  });

  it.each([
    ['a source behind an import()', 'lazy.ts'],
    ['a source imported by two', 'errors.ts'],
    ['the bundle itself', 'bundle.js'],
    ['what is noted about it', 'bundle.meta.json'],
  ])('is built again after a change of %s', async (_what, name) => {
    await buildFunction(router.folder);
    const path = join(router.folder, name);
    writeFileSync(path, name.endsWith('.json') ? '{"toolchain":' : `${readFileSync(path, 'utf8')}\n// changed`);
    expect(await buildFunction(router.folder)).toMatchObject({ rebuilt: true });
    expect(await buildFunction(router.folder)).toMatchObject({ rebuilt: false });
  });
});
