import type { Account } from './account.ts';
import type { OutboxEntry } from './machinery.ts';
import { buryInterrupted, endEntry, type OutboxState, pendingEntries, setState } from './outbox.ts';

export interface EffectRunner {
  /** Notes that something in the outbox is not what it was. */
  readonly changed: () => void;
  /** Performs what is pending in the outbox, each entry once at a time; costs nothing while nothing has changed there. */
  readonly start: () => void;
  /** Resolves when nothing is being performed. */
  readonly quiet: () => Promise<void>;
  /** Picks up what a process that ended left pending, and lists as dead what was just leaving. */
  readonly resume: () => void;
  readonly stop: () => void;
}

/** Performs the outbox entries of an account whose kind has an effect. */
export function effectRunner(account: Account): EffectRunner {
  const running = new Map<number, Promise<void>>();
  let stopped = false;
  let isChanged = false;

  const perform = async (entry: OutboxEntry): Promise<void> => {
    const effect = account.machinery.effects.get(entry.kind);
    const finish = (state: OutboxState, apply?: (account: Account) => void): void => {
      running.delete(entry.id);
      if (!stopped) {
        account.write(() => {
          apply?.(account);
          endEntry(account, entry.id, state);
        });
      }
    };
    const leave = (): void => {
      if (stopped) {
        throw new Error('the account was closed before this left; it is still pending');
      }
      account.write(() => setState(account, entry.id, 'leaving'));
    };
    try {
      // What it was posted for may be gone since: without a mail server, mail is kept.
      finish(effect === undefined ? 'kept' : 'done', await effect?.(entry, leave));
    } catch (error) {
      if (!stopped) {
        warn(error);
      }
      finish('failed');
    }
  };

  const start = (): void => {
    if (account.machinery.effects.size === 0 || stopped || !isChanged) {
      return;
    }
    isChanged = false;
    for (const entry of pendingEntries(account, running)) {
      // What could not be written stays as it was in the outbox, until something there changes or the emulator starts.
      running.set(entry.id, perform(entry).catch(warn));
    }
  };

  const changed = (): void => {
    isChanged = true;
  };

  return {
    changed,
    start,
    resume: () => {
      changed();
      buryInterrupted((text, ...values) => account.run(text, ...values));
      start();
    },
    quiet: async () => {
      while (running.size > 0) {
        await Promise.all(running.values());
      }
    },
    stop: () => {
      stopped = true;
    },
  };
}

function warn(error: unknown): void {
  process.emitWarning(error instanceof Error ? error : String(error));
}
