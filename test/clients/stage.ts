import { startEmulator } from '../../lib/emulator/start-emulator.ts';
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

/** An emulator behind a recorder, on which stories are told. */
export interface Stage {
  readonly exchanges: readonly Exchange[];
  account(): Promise<StoryAccount>;
  close(): Promise<void>;
}

/** Starts an emulator and a recorder before it. */
export async function stage(): Promise<Stage> {
  const emulator = await startEmulator({ limits: { perMinute: 100_000, perHour: 100_000, keyListsPerMinute: 1000 } });
  const recorder = await recordedPlatform(emulator.url);
  return {
    exchanges: recorder.exchanges,
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
    },
  };
}
