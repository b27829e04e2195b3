import { badRequest, PlatformError } from '../errors.ts';
import type { Accounts } from '../store/accounts.ts';
import { SNAPSHOT_NAME, type Snapshot } from '../store/snapshots.ts';

/** A snapshot as it is shown; `at` is the moment it was saved, on the account's clock. */
export interface SavedSnapshot {
  readonly name: string;
  readonly at: string;
  readonly sizeBytes: number;
}

/** An account's snapshots: files beside it, which stay when the emulator stops. Errors: 400 for a name that none can have, 404 for one that none has. */
export interface SnapshotControls {
  /** Keeps everything as it is now, in place of an earlier snapshot of this name. */
  save(name: string): Promise<SavedSnapshot>;
  /** Puts everything back, the clock too; faults, counted requests and the log of requests are cleared. */
  restore(name: string): Promise<SavedSnapshot>;
  list(): readonly SavedSnapshot[];
  delete(name: string): Promise<void>;
}

export function snapshotControls(accounts: Accounts, token: string, inTurn: <T>(work: () => Promise<T>) => Promise<T>): SnapshotControls {
  const known = (name: string): SavedSnapshot => {
    const snapshot = accounts.snapshots(token).find(checkedName(name));
    if (snapshot === undefined) {
      throw unknownSnapshot(accounts, token, name);
    }
    return toSaved(snapshot);
  };
  return {
    save: (name) =>
      inTurn(async () => {
        await accounts.save(token, checkedName(name));
        return known(name);
      }),
    restore: (name) =>
      inTurn(async () => {
        const snapshot = known(name);
        await accounts.restore(token, name);
        return snapshot;
      }),
    list: () => accounts.snapshots(token).all().map(toSaved),
    delete: (name) =>
      inTurn(async () => {
        if (!accounts.snapshots(token).remove(checkedName(name))) {
          throw unknownSnapshot(accounts, token, name);
        }
      }),
  };
}

function toSaved({ name, atMs, sizeBytes }: Snapshot): SavedSnapshot {
  return { name, at: new Date(atMs).toISOString(), sizeBytes };
}

/** Errors: 400 for a name that no snapshot can have. */
export function checkedName(name: unknown): string {
  if (typeof name !== 'string' || !SNAPSHOT_NAME.test(name)) {
    throw badRequest(
      `name must be 1 to 100 small letters, digits, dots, dashes and underscores, and begin with a letter or digit, not ${JSON.stringify(name)}.`,
    );
  }
  return name;
}

function unknownSnapshot(accounts: Accounts, token: string, name: string): PlatformError {
  const names = accounts
    .snapshots(token)
    .all()
    .map((snapshot) => snapshot.name);
  const others = names.length === 0 ? 'this account has none' : `there are ${names.join(', ')}`;
  return new PlatformError(404, 'not_found', `There is no snapshot ${JSON.stringify(name)}: ${others}.`);
}
