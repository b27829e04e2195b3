import { randomUUID } from 'node:crypto';
import { mkdirSync, renameSync } from 'node:fs';
import { join } from 'node:path';
import { pause, setClock } from '../clock.ts';
import { type RequestLog, requestLog } from '../http/request-log.ts';
import { type RateLimiter, type RateLimits, rateLimiter } from '../rate-limit.ts';
import { Account } from './account.ts';
import { copyAccountFile, removeAccountFile, removeLog } from './account-file.ts';
import { type AccountIndex, openIndex, tokenHashOf } from './account-index.ts';
import type { Machinery } from './machinery.ts';
import { OtherVersionError, openDatabase } from './open-database.ts';
import { buryCopied } from './outbox.ts';
import { type Snapshot, type Snapshots, snapshotsIn } from './snapshots.ts';
import { keptToken, newToken } from './tokens.ts';

/** How a new account begins. */
export interface Birth {
  readonly seed: 'default' | 'empty';
  readonly dropletLimit?: number;
  readonly status?: 'active' | 'warning' | 'locked';
}

/** An open account and what is remembered about its callers; that part is gone when the emulator stops. */
export interface Tenant {
  readonly account: Account;
  readonly limiter: RateLimiter;
  readonly log: RequestLog;
}

export interface AccountsOptions {
  readonly dataDir: string;
  readonly machinery: Machinery;
  readonly speed: number;
  readonly limits: RateLimits;
  readonly populate: (account: Account, birth: Birth) => void;
  /** The bearer of the first account; by default the one that is kept in the data directory. */
  readonly token: string | undefined;
}

const REMEMBERED_REQUESTS = 1000;

/**
 * All accounts of a data directory: an index of token hashes, and one SQLite file each. An account is opened by its first
 * request, or by `wakeAll`; what had come due by then is settled before that request is answered.
 */
export class Accounts {
  /** The bearer of the first account. */
  readonly firstToken: string;
  readonly #options: AccountsOptions;
  readonly #index: AccountIndex;
  readonly #byHash = new Map<string, Tenant>();
  /** The same by what callers show, for those who have called. */
  readonly #byToken = new Map<string, Tenant>();
  readonly #directory: string;

  constructor(options: AccountsOptions) {
    this.#options = options;
    this.#directory = join(options.dataDir, 'accounts');
    mkdirSync(this.#directory, { recursive: true, mode: 0o700 });
    this.#index = openIndex(options.dataDir);
    this.firstToken = options.token ?? keptToken(options.dataDir);
    try {
      if (this.find(this.firstToken) === undefined) {
        this.create({ seed: 'default' }, this.firstToken);
      }
    } catch (error) {
      this.close();
      throw error;
    }
  }

  /** The account of a bearer token; undefined when there is none, or when everything is closed. */
  find(token: string): Tenant | undefined {
    const open = this.#byToken.get(token);
    if (open !== undefined || !this.#index.isOpen()) {
      return open;
    }
    const tokenHash = tokenHashOf(token);
    const found = this.#byHash.get(tokenHash) ?? this.#openIndexed(tokenHash);
    if (found !== undefined) {
      this.#byToken.set(token, found);
    }
    return found;
  }

  /**
   * Opens the accounts that nobody has asked for yet, so that what is due in them happens without a request: their probes, their notices. Between
   * two of them the emulator answers. One that can not be opened is told of, and keeps no other from waking.
   */
  async wakeAll(): Promise<void> {
    for (const tokenHash of this.#index.tokenHashes()) {
      await pause(0);
      if (!this.#index.isOpen()) {
        return;
      }
      try {
        if (!this.#byHash.has(tokenHash)) {
          this.#openIndexed(tokenHash);
        }
      } catch (error) {
        process.emitWarning(error instanceof Error ? error : String(error));
      }
    }
  }

  /** Makes an account and returns its bearer token; there is none until all of it is stored. */
  create(birth: Birth, token = newToken()): string {
    const id = randomUUID();
    const tokenHash = tokenHashOf(token);
    this.#make(id, tokenHash, () => {
      this.#bear(id, birth);
      this.#index.add(id, tokenHash);
    });
    return token;
  }

  /** Copies an account as it is at this moment, clock included, and returns the bearer token of the copy. What it was about to do outside happens before. */
  async fork(token: string): Promise<string> {
    const source = await this.#quiet(token);
    source.flush();
    const id = randomUUID();
    const copied = newToken();
    const tokenHash = tokenHashOf(copied);
    this.#make(id, tokenHash, () => {
      copyAccountFile(source.file, this.#file(id));
      this.#open(tokenHash, id, true).account.speed = source.speed;
      this.#index.add(id, tokenHash);
    });
    return copied;
  }

  /** Makes an account new: its records, faults and counted requests are gone, its token, clock, speed and snapshots stay. */
  async reset(token: string, birth: Birth): Promise<void> {
    const { id, clock, speed } = await this.#quiet(token);
    const next = this.#bear(`${id}.next`, birth, (fresh) => {
      fresh.speed = speed;
      fresh.adoptClock(clock);
    });
    this.#replace(token, next);
  }

  /** Keeps the account as it is at this moment under a name, in place of an earlier snapshot of that name. */
  async save(token: string, name: string): Promise<void> {
    const account = await this.#quiet(token);
    account.flush();
    this.snapshots(token).save(name, account.file, account.nowMs);
  }

  /**
   * Puts an account back to what it was when the snapshot was saved, in one step: records, counters, what is due and the clock, which
   * shows that moment again. Its token, speed and snapshots stay, faults and counted requests are gone. Whether there is such a snapshot.
   * Errors: another version made it; the account stays as it is.
   */
  async restore(token: string, name: string): Promise<boolean> {
    const { id } = await this.#quiet(token);
    const saved = this.snapshots(token).find(name);
    if (saved === undefined) {
      return false;
    }
    const next = this.#file(`${id}.next`);
    removeAccountFile(next);
    copyAccountFile(saved.file, next);
    this.#prepareSnapshot(saved, next);
    const restored = this.#replace(token, next);
    if (restored.clock.frozenAtMs === null) {
      restored.adoptClock(setClock(saved.atMs, false));
    }
    return true;
  }

  /** The snapshots of an account. */
  snapshots(token: string): Snapshots {
    return snapshotsIn(join(this.#directory, `${this.#tenant(token).account.id}.snapshots`));
  }

  /** Resolves when nothing that left the accounts is still on its way. */
  async quiet(): Promise<void> {
    await Promise.all([...this.#byHash.values()].map(({ account }) => account.quiet()));
  }

  close(): void {
    for (const { account } of this.#byHash.values()) {
      account.close();
    }
    this.#byHash.clear();
    this.#byToken.clear();
    this.#index.close();
  }

  #tenant(token: string): Tenant {
    const tenant = this.find(token);
    if (tenant === undefined) {
      throw new Error('no account has this token: create one first');
    }
    return tenant;
  }

  /** The account at this moment: what is due has happened, and what it was doing outside is over. */
  async #quiet(token: string): Promise<Account> {
    const { account } = this.#tenant(token);
    account.read(() => undefined);
    await account.quiet();
    return this.#tenant(token).account;
  }

  /** Does the work that makes an account. When it throws, nothing of the account stays. */
  #make(id: string, tokenHash: string, work: () => void): void {
    try {
      work();
    } catch (error) {
      this.#byHash.get(tokenHash)?.account.close();
      this.#byHash.delete(tokenHash);
      removeAccountFile(this.#file(id));
      throw error;
    }
  }

  /** Writes the whole file of a new account and closes it. */
  #bear(id: string, birth: Birth, prepare?: (account: Account) => void): string {
    const file = this.#file(id);
    removeAccountFile(file);
    const account = new Account(id, file, this.#options.machinery, this.#options.speed);
    try {
      prepare?.(account);
      account.write(() => this.#options.populate(account, birth));
      account.flush();
    } finally {
      account.close();
    }
    return file;
  }

  /** Makes the copy of a snapshot one that tells nobody again what the account itself tells them. Errors: an account could not be opened with it. */
  #prepareSnapshot(snapshot: Snapshot, copy: string): void {
    try {
      const db = openDatabase(copy, this.#options.machinery.tables);
      try {
        buryCopied((text, ...values) => db.prepare(text).run(...values));
      } finally {
        db.close();
      }
    } catch (error) {
      removeAccountFile(copy);
      throw error instanceof OtherVersionError ? foreignSnapshot(snapshot, error) : error;
    }
  }

  /**
   * Puts a whole file in the place of an account's. Whenever the process ends, the account is either the one or the other; so it is when this
   * throws, and then the next use opens it, as after a start.
   */
  #replace(token: string, file: string): Account {
    const { account } = this.#tenant(token);
    const tokenHash = tokenHashOf(token);
    account.flush();
    this.#byToken.delete(token);
    this.#byHash.delete(tokenHash);
    account.close();
    removeLog(account.file);
    renameSync(file, account.file);
    const replaced = this.#open(tokenHash, account.id).account;
    replaced.speed = account.speed;
    return replaced;
  }

  #openIndexed(tokenHash: string): Tenant | undefined {
    const id = this.#index.idOf(tokenHash);
    return id === undefined ? undefined : this.#open(tokenHash, id);
  }

  #open(tokenHash: string, id: string, isCopy = false): Tenant {
    const account = new Account(id, this.#file(id), this.#options.machinery, this.#options.speed, isCopy);
    const tenant = { account, limiter: rateLimiter(this.#options.limits), log: requestLog(REMEMBERED_REQUESTS) };
    this.#byHash.set(tokenHash, tenant);
    return tenant;
  }

  #file(id: string): string {
    return join(this.#directory, `${id}.sqlite`);
  }
}

function foreignSnapshot({ name, file }: Snapshot, { differences }: OtherVersionError): OtherVersionError {
  const advice = `delete it, or restore it with that version; the account is as it was. Its file is ${file}.`;
  return new OtherVersionError(`the snapshot ${JSON.stringify(name)}`, differences, advice);
}
