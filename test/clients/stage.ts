import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startEmulator } from '../../lib/emulator/start-emulator.ts';
import { startHost } from '../../lib/host/start-host.ts';
import { clientOf } from '../emulator/platform.ts';
import { type Exchange, recordedPlatform } from '../support/recorded-platform.ts';

/** An account of its own for one story: its clock stands still until the story moves it. */
export interface StoryAccount {
  /** Where the platform answers, through the recorder; without /v2. */
  readonly url: string;
  readonly token: string;
  /** Lets time pass: "45s", "4m", "2h". */
  readonly later: (span: string) => Promise<void>;
}

/** An emulator with a functions host beside it, behind a recorder, on which stories are told. */
export interface Stage {
  readonly exchanges: readonly Exchange[];
  account(): Promise<StoryAccount>;
  /** The account that has the functions host. */
  readonly owner: Omit<StoryAccount, 'later'>;
  close(): Promise<void>;
}

/** Starts an emulator and a recorder before it. */
export async function stage(): Promise<Stage> {
  const dataDir = mkdtempSync(join(tmpdir(), 'deckhand-stage-'));
  const token = 'dh_owner';
  const host = await startHost({ dataDir, apiToken: token });
  const emulator = await startEmulator({
    token,
    limits: { perMinute: 100_000, perHour: 100_000, keyListsPerMinute: 1000 },
    mounts: { '/v2/functions': host.handle },
  });
  const recorder = await recordedPlatform(emulator.url);
  return {
    exchanges: recorder.exchanges,
    owner: { url: recorder.url, token },
    account: async () => {
      const { body } = await clientOf(emulator.url, emulator.token).post('/_emulator/accounts', { seed: 'empty' });
      const control = clientOf(emulator.url, body.token);
      await control.post('/_emulator/clock', { freeze: true, now: '2026-02-10T12:00:00Z' });
      await control.post('/_emulator/reset', {});
      return {
        url: recorder.url,
        token: body.token,
        later: async (span) => {
          await control.post('/_emulator/clock', { advance: span });
        },
      };
    },
    close: async () => {
      recorder.close();
      await emulator.close();
      await host.close();
      rmSync(dataDir, { recursive: true, force: true });
    },
  };
}
