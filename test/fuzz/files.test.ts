import { existsSync, mkdirSync, mkdtempSync, readdirSync, readlinkSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import fc, { type Arbitrary } from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { stringify } from 'yaml';
import { DeployError } from '../../lib/deployer/deploy-error.ts';
import { readProject } from '../../lib/deployer/read-project.ts';
import { readIncludeList } from '../../lib/deployer/source/include-list.ts';
import { unpackZip } from '../../lib/host/functions/unpack-zip.ts';
import { HostError } from '../../lib/host/host-error.ts';
import { HooksFileError } from '../../lib/webhooks/compile/hooks-file-error.ts';
import { HELLO, writeFiles } from '../deployer/support/temp-project.ts';
import { zip } from '../host/support/zip.ts';
import { compiled } from '../webhooks/support/sender.ts';
import { holds } from './holds.ts';
import { hostileText, hostileValue, mutated, ofEntries, prototypeNames } from './hostile.ts';

let dir: string;
beforeAll(() => {
  dir = mkdtempSync(join(tmpdir(), 'deckhand-fuzz-'));
  writeFiles(dir, { 'project/packages/tools/hello.js': HELLO, 'project/lib/shared.js': '', 'project/.env': 'SECRET=canary-env\n' });
});
afterAll(() => rmSync(dir, { recursive: true, force: true }));

/** An object with some of these members, each of the kind that it should have, or any. */
function partly(members: Readonly<Record<string, Arbitrary<unknown>>>): Arbitrary<Record<string, unknown>> {
  const entries = Object.entries(members).map(([name, usual]) =>
    fc.option(fc.oneof({ arbitrary: usual, weight: 8 }, { arbitrary: hostileValue, weight: 1 })).map((value) => [name, value] as const),
  );
  const strange = fc.oneof(
    { arbitrary: fc.constant([]), weight: 5 },
    fc.tuple(fc.tuple(fc.constantFrom(...prototypeNames, 'enviroment'), hostileValue)),
  );
  return fc
    .tuple(fc.tuple(...entries), strange)
    .map(([known, more]) => ofEntries([...known.filter(([, value]) => value !== null), ...more]));
}

const words = fc.oneof(
  // biome-ignore lint/suspicious/noTemplateCurlyInString: what project.yml replaces
  fc.constantFrom('tools', 'hello', 'nodejs:24', 'nodejs:14', '${SECRET}', '${MISSING}', '* * * * *', 'main', 'raw'),
  hostileText,
);
const functionEntry = partly({
  name: fc.constantFrom('hello', 'other'),
  runtime: fc.constantFrom('nodejs:24', 'nodejs:default', 'go:1.24'),
  main: words,
  binary: fc.boolean(),
  web: fc.oneof(fc.boolean(), fc.constant('raw')),
  webSecure: fc.oneof(fc.boolean(), words),
  limits: partly({ timeout: fc.integer(), memory: fc.integer(), logs: fc.nat(20) }),
  environment: fc.dictionary(fc.string(), words, { maxKeys: 2 }),
  parameters: fc.dictionary(fc.string(), words, { maxKeys: 2 }),
  triggers: fc.array(partly({ name: words, type: fc.constant('scheduled'), cron: words, body: hostileValue }), { maxLength: 2 }),
  sequence: fc.array(words, { maxLength: 2 }),
});
const project = partly({
  packages: fc.array(
    partly({
      name: fc.constantFrom('tools', 'default'),
      environment: fc.dictionary(fc.string(), words, { maxKeys: 2 }),
      functions: fc.array(functionEntry, { maxLength: 2 }),
    }),
    { maxLength: 2 },
  ),
  environment: fc.dictionary(fc.string(), words, { maxKeys: 2 }),
  parameters: fc.dictionary(fc.string(), hostileValue, { maxKeys: 2 }),
  targetNamespace: words,
});
const asYaml = (value: Arbitrary<unknown>) => value.map((plain) => stringify(plain, { version: '1.1' }));

describe('a project', () => {
  it('is read, or refused with every problem in its place, whatever project.yml says', async () => {
    const text = fc.oneof(asYaml(project), mutated(asYaml(project)), asYaml(hostileValue), fc.string());
    const property = fc.property(text, (content) => {
      writeFileSync(join(dir, 'project', 'project.yml'), content);
      try {
        readProject(join(dir, 'project'), { env: {} });
      } catch (failure) {
        if (!(failure instanceof DeployError)) throw failure;
        expect(failure.problems.length).toBeGreaterThan(0);
        for (const { message, line } of failure.problems)
          if (message === '' || (line !== null && !(line >= 1))) throw new Error(JSON.stringify({ line, message }));
      }
    });
    await holds('project.yml', 3000, property);
  });

  it('lists in .include nothing that leads out of it but to lib', async () => {
    const place = join(dir, 'project', 'packages', 'tools', 'listed');
    mkdirSync(place, { recursive: true });
    const part = fc.constantFrom(
      '..',
      '.',
      'a',
      'lib',
      'packages',
      '',
      'c:',
      '%2e%2e',
      ' ..',
      '.. ',
      '...',
      '\\',
      '../',
      '~',
      '#x',
      '!x',
      '\0',
    );
    const lines = fc.array(
      fc.oneof(
        fc.array(part, { maxLength: 6 }).map((parts) => parts.join('/')),
        hostileText,
      ),
      { maxLength: 4 },
    );
    const property = fc.property(lines, (listed) => {
      writeFileSync(join(place, '.include'), listed.join('\n'));
      const refused = new Set<number | null>();
      const items = readIncludeList(place, (line) => refused.add(line));
      for (const { path, line } of items) {
        if (refused.has(line)) continue;
        const inside = relative(place, join(place, path));
        const inLib = relative(join(dir, 'project', 'lib'), join(place, path));
        if (inside.startsWith('..') && !inside.startsWith('...') && (inLib === '..' || inLib.startsWith('../')))
          throw new Error(`${JSON.stringify(path)} leads out`);
      }
    });
    await holds('.include', 3000, property);
  });
});

describe('hooks.yml', () => {
  const call = partly({
    tool: fc.constantFrom('account-get-information', 'instance-reboot', 'no-such-tool'),
    with: fc.dictionary(
      fc.constantFrom('ID', 'Fields', ...prototypeNames),
      fc.oneof(hostileValue, fc.constantFrom('=body.id', '=(', '=$eval("1")', '==x')),
      { maxKeys: 2 },
    ),
  });
  const hook = partly({
    verify: fc.constantFrom('github', 'stripe', 'slack', 'standard-webhooks', 'hmac', 'bearer', 'basic', 'url-token'),
    secret: fc.oneof(fc.constantFrom('env:SECRET', ['env:NEW', 'env:OLD'], 'plain'), hostileText),
    caller: fc.constant('ci'),
    id: fc.constantFrom('body.id', 'headers.`x-id`', '('),
    dedupe: fc.constant('memory'),
    maxBytes: fc.integer(),
    hmac: partly({
      header: words,
      algorithm: fc.constantFrom('sha256', 'md5'),
      encoding: fc.constant('hex'),
      prefix: words,
      timestamp: words,
    }),
    on: fc.array(partly({ when: fc.constantFrom('body.a = 1', 'headers.`x`', '((('), run: fc.array(call, { maxLength: 2 }) }), {
      maxLength: 2,
    }),
  });
  const file = partly({
    hooks: fc.dictionary(fc.oneof(fc.constantFrom('one', 'health', ...prototypeNames), hostileText), hook, { maxKeys: 2 }),
  });

  it('is compiled into data, or refused with every problem in its place, whatever it says', async () => {
    const property = fc.property(
      fc.oneof(asYaml(file), mutated(asYaml(file)), asYaml(hostileValue), fc.string()),
      fc.boolean(),
      (text, hasStore) => {
        try {
          const hooks = compiled(text, hasStore);
          expect(JSON.parse(JSON.stringify(hooks))).toEqual(hooks);
        } catch (failure) {
          if (!(failure instanceof HooksFileError)) throw failure;
          expect(failure.message).toMatch(/^hooks\.yml:\d+:\d+: /m);
        }
      },
    );
    await holds('hooks.yml', 3000, property);
  });
});

/** What an entry of a zip's directory begins with, and where it says how many bytes it unpacks to (APPNOTE.TXT 4.3.12). */
const centralHeader = Buffer.from('PK\x01\x02', 'latin1');
const unpackedSizeAt = 24;

describe('a zip', () => {
  const name = fc.oneof(
    fc.array(fc.constantFrom('..', 'a', 'b', '.', 'index.js', 'C:'), { minLength: 1, maxLength: 4 }).map((parts) => parts.join('/')),
    fc.constantFrom('/etc/x', '/a', '../../x', 'a//b', 'a/', '\\..\\x', 'index.js', '__proto__'),
  );
  const entry = fc.record({
    content: fc.oneof(fc.string(), fc.constantFrom('/etc/passwd', '../..')),
    mode: fc.constantFrom(0o100644, 0o100755, 0o120777, 0o040755, 0o010644, 0o104755, 0),
  });

  it('unpacks into its directory alone, or is refused, whatever stands in it', async () => {
    const files = fc.array(fc.tuple(name, entry), { minLength: 1, maxLength: 4 });
    const damage = fc.array(fc.tuple(fc.double({ min: 0, max: 1, noNaN: true }), fc.nat(255)), { maxLength: 3 });
    let round = 0;
    const property = fc.asyncProperty(files, damage, async (entries, changes) => {
      const place = join(dir, 'zips', String(round++), 'deep', 'target');
      mkdirSync(place, { recursive: true });
      const packed = Buffer.from(
        await zip(Object.fromEntries(entries.filter(([, { mode }]) => mode >>> 0 >= 0).map(([at, what]) => [at.replace(/\/$/, ''), what]))),
      );
      for (const [at, byte] of changes) packed[Math.min(packed.length - 1, Math.floor(at * packed.length))] = byte;
      try {
        await unpackZip(packed, place);
      } catch (failure) {
        if (!(failure instanceof HostError)) throw failure;
      }
      const around = join(dir, 'zips', String(round - 1));
      const outside = readdirSync(around, { recursive: true, encoding: 'utf8' }).filter(
        (path) => path !== 'deep' && path !== 'deep/target' && !path.startsWith('deep/target/'),
      );
      if (outside.length > 0 || existsSync('/etc/x')) throw new Error(`left its directory: ${outside.join(', ')}`);
      const links = readdirSync(place, { recursive: true, withFileTypes: true }).filter((found) => found.isSymbolicLink());
      if (links.length > 0)
        throw new Error(`made a link to ${links.map((link) => readlinkSync(join(link.parentPath, link.name))).join(', ')}`);
      rmSync(around, { recursive: true, force: true });
    });
    await holds('zips', 1500, property);
  });

  it('comes to no more bytes and entries than it may, however small it is and whatever it claims of its sizes', async () => {
    const limits = { unpackedBytes: 16 * 1024, unpackedEntries: 5 };
    const near = fc.integer({ min: -2, max: 2 });
    const size = fc.oneof(
      near.map((off) => limits.unpackedBytes + off),
      near.map((off) => limits.unpackedBytes / 2 + off),
      fc.nat(1000),
      fc.constant(20 * limits.unpackedBytes),
    );
    const claimed = fc.option(fc.constantFrom(0, 1, limits.unpackedBytes, 0xffff_fffe));
    let round = 0;
    const property = fc.asyncProperty(fc.array(size, { maxLength: 7 }), claimed, async (sizes, claim) => {
      const place = join(dir, 'bombs', String(round++));
      mkdirSync(place, { recursive: true });
      const bomb = await zip(Object.fromEntries(sizes.map((bytes, at) => [`f${at}`, { content: Buffer.alloc(bytes) }])));
      const isLying = claim !== null && sizes.length > 0;
      if (isLying) bomb.writeUInt32LE(claim, bomb.indexOf(centralHeader) + unpackedSizeAt);
      const total = sizes.reduce((sum, bytes) => sum + bytes, 0);
      const isTooMuch = total > limits.unpackedBytes || sizes.length > limits.unpackedEntries;
      const refused = await unpackZip(bomb, place, 'a bomb', limits).then(
        () => undefined,
        (failure: unknown) => failure,
      );
      if (refused !== undefined && !(refused instanceof HostError)) throw refused;
      if (isTooMuch && !refused) throw new Error(`${sizes.length} entries of ${total} bytes were taken`);
      if (!isTooMuch && !isLying && refused) throw refused;
      const written = readdirSync(place).reduce((sum, name) => sum + statSync(join(place, name)).size, 0);
      if (written > limits.unpackedBytes) throw new Error(`${written} bytes were written`);
      rmSync(place, { recursive: true });
    });
    await holds('zip bombs', 500, property);
  });
});
