import { readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { describe, expect, test } from 'vitest';
import { defaultKindsDir } from '../../lib/host/kinds/kind-binaries.ts';
import { ProvidedPackages } from '../../lib/host/kinds/provided-packages.ts';
import { everyKind } from './support/kinds.ts';
import { noRegistry, npmRegistry, type PackageFiles } from './support/npm-registry.ts';
import { tempDir, testHost } from './support/test-host.ts';
import { zip } from './support/zip.ts';

/** Specification 3, "Packages provided by the runtime". */
const majors: Readonly<Record<string, number>> = {
  '@aws-sdk/client-s3': 3,
  axios: 1,
  cheerio: 1,
  gm: 1,
  jsonwebtoken: 9,
  mongodb: 6,
  mysql2: 3,
  openwhisk: 3,
  pg: 8,
  redis: 4,
  'serialize-error': 3,
  yaml: 2,
};
const names = Object.keys(majors);

/** Packages of these names from a registry of the test's own, each of which says that it is provided. */
const standIns = Object.fromEntries(
  names.map((name): [string, PackageFiles] => [`${name}@${majors[name]}.0.0`, { 'index.js': 'exports.from = "provided";' }]),
);

/** Why the packages themselves cannot be had here; undefined where they can. */
async function absence(): Promise<string | undefined> {
  const packages = new ProvidedPackages(defaultKindsDir(), () => {});
  await packages.settle(['axios']);
  return packages.advice('axios', 'nodejs:24');
}

const absent = await absence();
for (const kind of await everyKind()) {
  if (!kind.providesPackages) continue;
  const reason = kind.absent ?? absent;
  describe.skipIf(reason !== undefined)(`the packages of ${kind.kind}${reason ? `, not tried: ${reason}` : ''}`, () => {
    const required = names.map((name) => `${JSON.stringify(name)}: require('${name}')`).join(', ');
    const commonJs = `const all = { ${required} }; exports.main = () => ({ found: Object.keys(all) });`;
    const esm = `${names.map((name, i) => `import * as m${i} from '${name}';`).join('\n')}
      export const main = () => ({ found: [${names.map((name, i) => `m${i} && '${name}'`).join(', ')}] });`;

    test.each([
      ['a code string by require', () => commonJs],
      ['a code string by import', () => esm],
      ['a CommonJS zip', () => zip({ 'index.js': commonJs })],
      ['an ES module in a zip', () => zip({ 'package.json': '{"type":"module"}', 'index.js': esm })],
    ])('are all found from %s', async (_name, make) => {
      const host = await testHost();
      await host.deploy('p/f', { kind: kind.kind, code: await make(), limits: { timeout: 60_000 } });
      expect((await host.invoke('p/f')).response.result).toEqual({ found: names });
    });

    test('have the documented major versions', async () => {
      const host = await testHost();
      const code = `const { readFileSync, realpathSync } = require('fs'); const { join } = require('path');
        exports.main = () => Object.fromEntries(${JSON.stringify(names)}.map((name) => {
          const at = module.paths.map((path) => join(path, name, 'package.json')).find((path) => { try { return realpathSync(path); } catch { return false; } });
          return [name, Number(JSON.parse(readFileSync(at, 'utf8')).version.split('.')[0])];
        }));
        () => require('axios');`;
      await host.deploy('p/f', { kind: kind.kind, code });
      expect((await host.invoke('p/f')).response.result).toEqual(majors);
    });

    test('do their work', async () => {
      const host = await testHost();
      const code = `const jwt = require('jsonwebtoken'); const yaml = require('yaml'); const { load } = require('cheerio');
        const serializeError = require('serialize-error');
        exports.main = () => ({
          jwt: jwt.verify(jwt.sign({ a: 1 }, 'key'), 'key').a, yaml: yaml.parse('a: 1'), html: load('<b>x</b>')('b').text(),
          error: serializeError(new Error('boom')).message, axios: typeof require('axios').get,
        });`;
      await host.deploy('p/f', { kind: kind.kind, code });
      expect((await host.invoke('p/f')).response.result).toEqual({ jwt: 1, yaml: { a: 1 }, html: 'x', error: 'boom', axios: 'function' });
    });
  });
}

describe('packages that a kind provides', () => {
  const asks = 'const { from } = require("axios"); exports.main = () => ({ from })';

  test('are installed once, when a function first asks for one, and others do not wait for them', async () => {
    const registry = await npmRegistry(standIns);
    const kindsDir = tempDir();
    const hosts = await Promise.all([testHost({ kindsDir }), testHost({ kindsDir })]);
    const [host] = hosts;
    if (!host) throw new Error('unreachable');
    await host.deploy('p/empty', 'exports.main = () => ({ ok: true })');
    expect((await host.invoke('p/empty')).response.result).toEqual({ ok: true });
    expect([registry.asked, readdirSync(kindsDir)]).toEqual([[], []]);
    await Promise.all(hosts.flatMap((each) => ['p/f', 'p/g'].map((name) => each.deploy(name, asks))));
    for (const each of hosts) {
      for (const name of ['p/f', 'p/g']) expect((await each.invoke(name)).response.result).toEqual({ from: 'provided' });
    }
    // Both hosts set about it; the one that was later clears its own away, while its functions have that of the other.
    await expect.poll(() => readdirSync(kindsDir), { timeout: 30_000 }).toEqual([expect.stringMatching(/^provided-/)]);
    registry.goAway();
    const later = await testHost({ kindsDir });
    await later.deploy('p/f', asks);
    expect((await later.invoke('p/f')).response.result).toEqual({ from: 'provided' });
  });

  test('are the newest of their major, stay as they were installed, and are renewed when their directory is gone', async () => {
    const kindsDir = tempDir();
    const release = async (...versions: string[]) => {
      const axios = versions.map((version): [string, PackageFiles] => [`axios@${version}`, { 'index.js': `exports.from = "${version}";` }]);
      await npmRegistry({ ...standIns, ...Object.fromEntries(axios) });
    };
    const answer = async () => {
      const host = await testHost({ kindsDir });
      await host.deploy('p/f', asks);
      const { response } = await host.invoke('p/f');
      await host.close();
      return response.result?.from;
    };
    await release('1.0.0', '1.1.0', '2.0.0');
    expect(await answer()).toBe('1.1.0');
    await release('1.0.0', '1.1.0', '1.1.1', '1.2.0', '2.0.0');
    expect(await answer()).toBe('1.1.0');
    for (const name of readdirSync(kindsDir)) rmSync(join(kindsDir, name), { recursive: true });
    expect(await answer()).toBe('1.2.0');
  });

  test('are brought for code that does not name them where it can be seen, before its call is answered', async () => {
    await npmRegistry(standIns);
    const host = await testHost({ kindsDir: tempDir() });
    await host.deploy('p/f', 'const name = ["ya", "ml"].join(""); const { from } = require(name); exports.main = () => ({ from })');
    expect((await host.invoke('p/f')).response.result).toEqual({ from: 'provided' });
  });

  test('are brought for the next call where a handler asks for them in a way that cannot be seen', async () => {
    await npmRegistry(standIns);
    const host = await testHost({ kindsDir: tempDir() });
    await host.deploy('p/f', 'exports.main = ({ name }) => ({ from: require(name).from })');
    const { response, logs } = await host.invoke('p/f', { name: 'yaml' });
    expect(response).toMatchObject({ status: 'application_error', result: { error: expect.stringMatching(/Cannot find module 'yaml'/) } });
    expect(logs.at(-1)).toMatch(/stderr: nodejs:24 provides yaml; it is being installed, .*: call again$/);
    expect((await host.invoke('p/f', { name: 'yaml' })).response.result).toEqual({ from: 'provided' });
  });

  test('come in two sets: the command-line library, which needs more than npm, keeps no other away', async () => {
    const registry = await npmRegistry({ ...standIns, '@nimbella/nimbella-cli@4.2.8': { 'index.js': 'exports.from = "provided";' } });
    const kindsDir = tempDir();
    const host = await testHost({ kindsDir });
    await host.deploy('p/cli', 'const { from } = require("@nimbella/nimbella-cli"); exports.main = () => ({ from })');
    expect((await host.invoke('p/cli')).response.result).toEqual({ from: 'provided' });
    expect([registry.asked.includes('axios'), readdirSync(kindsDir).length]).toEqual([false, 1]);
  });

  test('that are out of reach in one set are there in the other', async () => {
    await npmRegistry(standIns);
    const host = await testHost({ kindsDir: tempDir() });
    await host.deploy('p/cli', 'const { from } = require("@nimbella/nimbella-cli"); exports.main = () => ({ from })');
    await host.deploy('p/f', asks);
    expect((await host.invoke('p/cli')).response.result?.error).toMatch(
      /nodejs:24 provides @nimbella\/nimbella-cli, but it could not be installed here: E404: .*; have npm ask a registry that has it/,
    );
    expect((await host.invoke('p/f')).response.result).toEqual({ from: 'provided' });
  });

  test('that need a repository which git cannot read are told of with that repository, and with what to do', async () => {
    const repository = `git+${pathToFileURL(join(tempDir(), 'none.git')).href}`;
    const dependencies = JSON.stringify({ dependencies: { runtime: repository } });
    await npmRegistry({ '@nimbella/nimbella-cli@4.2.8': { 'package.json': dependencies } });
    const host = await testHost({ kindsDir: tempDir() });
    await host.deploy('p/cli', 'require("@nimbella/nimbella-cli"); exports.main = () => ({})');
    const { response, logs } = await host.invoke('p/cli');
    const told = [
      'nodejs:24 provides @nimbella/nimbella-cli, but it could not be installed here: git cannot read ',
      repository.slice('git+'.length),
      'let git reach that repository and call again after 60 s, or put @nimbella/nimbella-cli into',
    ];
    for (const words of told) {
      expect(response.result?.error).toContain(words);
      expect(logs.at(-1)).toContain(words);
    }
  });

  test('never hide what a function brings itself', async () => {
    const registry = await npmRegistry(standIns);
    const host = await testHost({ kindsDir: tempDir() });
    const own = { 'node_modules/axios/index.js': 'exports.from = "own";', 'node_modules/axios/package.json': '{"version":"0.1.0"}' };
    const esm = { 'package.json': '{"type":"module"}', 'index.js': 'import { from } from "axios"; export const main = () => ({ from })' };
    await host.deploy('p/required', await zip({ 'index.js': asks, ...own }));
    await host.deploy('p/imported', await zip({ ...esm, ...own }));
    for (const name of ['p/required', 'p/imported']) expect((await host.invoke(name)).response.result).toEqual({ from: 'own' });
    expect(registry.asked).toEqual([]);
    await host.deploy(
      'p/both',
      await zip({ 'index.js': `const { from: other } = require("yaml"); ${asks}, exports.other = other`, ...own }),
    );
    expect((await host.invoke('p/both')).response.result).toEqual({ from: 'own' });
  });

  test('that cannot be installed are told of by the function that asks, and no other function waits', async () => {
    noRegistry();
    const kindsDir = tempDir();
    const host = await testHost({ kindsDir });
    await host.deploy('p/loading', asks);
    await host.deploy('p/running', 'exports.main = async () => ({ from: (await import("axios")).from })');
    await host.deploy('p/empty', 'exports.main = () => ({ ok: true })');
    expect((await host.invoke('p/empty')).response.result).toEqual({ ok: true });
    const advice =
      /nodejs:24 provides axios, but it could not be installed here: ECONNREFUSED: .*; let npm reach its registry \(.*\) and call again after 60 s, or put axios into the function's package\.json/;
    const loading = await host.invoke('p/loading');
    expect(loading.response.result?.error).toMatch(/^Initialization has failed due to: .*Cannot find module 'axios'/s);
    expect(loading.response.result?.error).toMatch(advice);
    expect(loading.logs.at(-1)).toMatch(advice);
    expect((await host.invoke('p/running')).logs.at(-1)).toMatch(advice);
    expect(readdirSync(kindsDir)).toEqual([]);
  });

  test('are there for those kinds alone: the others say where to put a package', async () => {
    const registry = await npmRegistry(standIns);
    for (const { kind, providesPackages, absent: missing } of await everyKind()) {
      if (providesPackages || missing !== undefined) continue;
      const host = await testHost();
      await host.deploy('p/f', { kind, code: asks });
      const { response } = await host.invoke('p/f');
      expect(response.result?.error).toMatch(/Cannot find module 'axios'/);
      expect(response.result?.error).toMatch(
        `${kind} provides no packages: put axios into the dependencies of the function's package.json`,
      );
    }
    expect(registry.asked).toEqual([]);
  });

  test('are not confused with what every object has', async () => {
    const registry = await npmRegistry(standIns);
    const host = await testHost({ kindsDir: tempDir() });
    await host.deploy('p/f', "require('constructor'); exports.main = () => ({});");
    const { response, logs } = await host.invoke('p/f');
    expect(response.result?.error).toMatch(/Cannot find module 'constructor'/);
    expect([response.result?.error, ...logs].join('\n')).not.toMatch('provides constructor');
    expect(registry.asked).toEqual([]);
  });

  test('are all that a function finds of what is installed on the machine', async () => {
    await npmRegistry(standIns);
    const host = await testHost({ kindsDir: tempDir() });
    const attempt = 'try { await load(name); found.push(name); } catch (error) { if (!/NOT_FOUND/.test(error.code)) throw error; }';
    const body = `const found = []; for (const name of ["axios", "zod", "vitest", "yauzl"]) { ${attempt} } return { found };`;
    const required = `exports.main = async () => { require('axios'); const load = require; ${body} };`;
    await host.deploy('p/required', required);
    await host.deploy('p/zipped', await zip({ 'index.js': required }));
    await host.deploy('p/imported', `import 'axios'; export const main = async () => { const load = (name) => import(name); ${body} };`);
    for (const name of ['p/required', 'p/zipped', 'p/imported']) {
      expect((await host.invoke(name)).response.result).toEqual({ found: ['axios'] });
    }
  });
});
