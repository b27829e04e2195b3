import { appendFileSync, cpSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { deployProject } from '../../lib/deployer/deploy-project.ts';
import { readProject } from '../../lib/deployer/read-project.ts';
import { type Host, startHost } from '../../lib/host/start-host.ts';
import { everyKind } from '../host/support/kinds.ts';
import { tempDir } from '../host/support/test-host.ts';
import { answersOf, copyFixture, deployPublicly } from './support/deploy-publicly.ts';
import { registryProblem } from './support/registry-problem.ts';

const BUNDLED = ['rollup', 'webpack', 'parcel'];
const ANSWERS: Readonly<Record<string, unknown>> = {
  'examples/plain': { example: 'plain', slug: 'Hello-You', note: 'an included file' },
  'examples/rollup': { example: 'rollup', slug: 'Hello-You' },
  'examples/webpack': { example: 'webpack', slug: 'Hello-You' },
  'examples/parcel': { example: 'parcel', slug: 'Hello-You' },
};
const NAMES = Object.keys(ANSWERS);

const missing = await registryProblem();
const kinds = missing === null ? await everyKind() : [];

describe.skipIf(process.platform === 'win32' || missing !== null)(
  `the specification's example shapes, built with the real bundlers${missing ? `, not tried: ${missing}` : ''}`,
  () => {
    const root = mkdtempSync(join(tmpdir(), 'deckhand-bundlers-'));
    const built = join(root, 'project');
    let host: Host;

    beforeAll(async () => {
      copyFixture('bundlers', built);
      host = await startHost({ dataDir: join(root, 'host') });
      const outcome = await deployProject(readProject(built, { env: {} }), targetOf(host), { build: 'always' });
      expect(outcome).toMatchObject({ failed: [], skipped: [] });
    }, 180_000);

    afterAll(async () => {
      await host.close();
      rmSync(root, { recursive: true, force: true });
    });

    for (const { kind, absent } of kinds) {
      it.skipIf(absent !== undefined)(`answer on ${kind}${absent ? `, not tried: ${absent}` : ''}`, async () => {
        expect(await deployBuilt(built, host, kind)).toEqual(NAMES.map((name) => ({ name, kind, isZip: name === 'examples/plain' })));
        expect(await answersOf(host, NAMES)).toEqual(ANSWERS);
      });

      it.skipIf(absent !== undefined).each(['note.txt', 'package.json'])(`answer on ${kind} with %s beside each bundle`, async (file) => {
        const dir = withFurtherFile(built, file);
        expect(await deployBuilt(dir, host, kind)).toEqual(NAMES.map((name) => ({ name, kind, isZip: true })));
        expect(await answersOf(host, NAMES)).toEqual(ANSWERS);
      });
    }

    it('answer alike when the public deployer deploys them', async () => {
      const dataDir = tempDir();
      const theirs = await startHost({ dataDir });
      onTestFinished(() => theirs.close());
      const { successes, failures } = await deployPublicly(built, dataDir);
      expect(failures).toEqual([]);
      expect(successes.toSorted()).toEqual(NAMES.toSorted());
      expect(await answersOf(theirs, NAMES)).toEqual(ANSWERS);
    }, 180_000);
  },
);

/** Deploys what the builds left as another kind. Returns how the host has it: the kind, and whether it is a zip or one file. */
async function deployBuilt(dir: string, host: Host, kind: string): Promise<readonly object[]> {
  const functions = NAMES.map((name) => ({ name: name.replace('examples/', ''), runtime: kind }));
  const config = JSON.stringify({ packages: [{ name: 'examples', functions }] });
  const outcome = await deployProject(readProject(dir, { env: {}, config }), targetOf(host), { build: 'never' });
  expect(outcome).toMatchObject({ failed: [], skipped: [] });
  const authorization = `Basic ${Buffer.from(host.auth).toString('base64')}`;
  const deployed = NAMES.map(async (name) => {
    const answer = await fetch(`${host.url}/api/v1/namespaces/_/actions/${name}`, { headers: { authorization } });
    // Every function of the REST API has these.
    const { exec } = (await answer.json()) as { readonly exec: { readonly kind: string; readonly binary: boolean } };
    return { name, kind: exec.kind, isZip: exec.binary };
  });
  return Promise.all(deployed);
}

/** What the builds left, with one more file in each `.include`. */
function withFurtherFile(built: string, file: string): string {
  const dir = tempDir();
  const tools = BUNDLED.map((example) => join(built, 'packages/examples', example, 'node_modules'));
  cpSync(built, dir, { recursive: true, filter: (path) => !tools.includes(path) });
  for (const example of BUNDLED) {
    if (file === 'note.txt') writeFileSync(join(dir, 'packages/examples', example, file), 'one more');
    appendFileSync(join(dir, 'packages/examples', example, '.include'), `${file}\n`);
  }
  return dir;
}

function targetOf(host: Host) {
  return { apihost: host.url, auth: host.auth };
}
