import type { Account } from './account.ts';
import type { OutboxEntry } from './machinery.ts';

export interface EffectRunner {
  /** Performs what is pending in the outbox, each entry once at a time. */
  readonly start: () => void;
  /** Resolves when nothing is being performed. */
  readonly quiet: () => Promise<void>;
  /** Picks up what a process that ended left pending: effects are performed at least once. */
  readonly resume: () => void;
  readonly stop: () => void;
}

/** Performs the outbox entries of an account whose kind has an effect. */
export function effectRunner(account: Account): EffectRunner {
  const running = new Map<number, Promise<void>>();
  let stopped = false;

  const perform = async (entry: OutboxEntry): Promise<void> => {
    const effect = account.machinery.effects.get(entry.kind);
    const finish = (state: string, apply?: (account: Account) => void): void => {
      running.delete(entry.id);
      if (!stopped) {
        account.write(() => {
          account.run('UPDATE outbox SET state = ? WHERE id = ?', state, entry.id);
          apply?.(account);
        });
      }
    };
    try {
      finish('done', await effect?.(entry));
    } catch (error) {
      process.emitWarning(error instanceof Error ? error : String(error));
      finish('failed');
    }
  };

  const start = (): void => {
    if (account.machinery.effects.size === 0 || stopped) {
      return;
    }
    for (const entry of pendingEntries(account)) {
      if (!running.has(entry.id)) {
        running.set(entry.id, perform(entry));
      }
    }
  };

  return {
    start,
    resume: start,
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

/** Everything that has left the account, oldest first, at most `limit` of the newest. */
export function outboxEntries(account: Account, limit: number): readonly (OutboxEntry & { readonly state: string })[] {
  const rows = account.sql('SELECT id, at, kind, state, data FROM outbox ORDER BY id DESC LIMIT ?').all(limit);
  return rows.map((row) => ({ ...toEntry(row), state: String(row.state) })).reverse();
}

function pendingEntries(account: Account): readonly OutboxEntry[] {
  return account.sql("SELECT id, at, kind, data FROM outbox WHERE state = 'pending' ORDER BY id").all().map(toEntry);
}

function toEntry(row: Readonly<Record<string, unknown>>): OutboxEntry {
  return { id: Number(row.id), atMs: Number(row.at), kind: String(row.kind), data: JSON.parse(String(row.data)) };
}
