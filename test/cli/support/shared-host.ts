import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll } from 'vitest';
import { type Host, type HostOptions, startHost } from '../../../lib/host/start-host.ts';

/** The account's token, as it lies beside the host. */
export const apiToken = 'dh_token_of_the_tests';

/** A host for all tests of a file, as a directory that it was started in sees it. */
export interface SharedHost {
  /** A directory above which `.deckhand/` lies, as after `deckhand start` there. */
  readonly dir: string;
  readonly host: Host;
}

/** Starts a host before the tests of a file and ends it after them. Its members are there once tests run. */
export function sharedHost(options: Partial<HostOptions> = {}): () => SharedHost {
  let shared: SharedHost | undefined;
  beforeAll(async () => {
    const dir = realpathSync(mkdtempSync(join(tmpdir(), 'deckhand-cli-')));
    mkdirSync(join(dir, '.deckhand'));
    writeFileSync(join(dir, '.deckhand', 'token'), `${apiToken}\n`);
    shared = { dir, host: await startHost({ ...options, dataDir: join(dir, '.deckhand', 'host'), apiToken }) };
  });
  afterAll(async () => {
    await shared?.host.close();
    rmSync(shared?.dir ?? '', { recursive: true, force: true });
  });
  return () => {
    if (shared) return shared;
    throw new Error('the host is started before the tests, and not outside of them');
  };
}
