import { createHash, randomBytes, randomUUID } from 'node:crypto';
import { copyFileSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { type RequestLog, requestLog } from '../http/request-log.ts';
import { type RateLimiter, type RateLimits, rateLimiter } from '../rate-limit.ts';
import { Account } from './account.ts';
import type { Machinery } from './machinery.ts';

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

const REMEMBERED_REQUESTS = 200;

/**
 * All accounts of a data directory: an index of token hashes, and one SQLite file each. An account is opened by its first
 * request; what had come due by then is settled before that request is answered.
 */
export class Accounts {
  /** The bearer of the first account. */
  readonly firstToken: string;
  readonly #options: AccountsOptions;
  readonly #index: DatabaseSync;
  readonly #byToken = new Map<string, Tenant>();
  readonly #directory: string;

  constructor(options: AccountsOptions) {
    this.#options = options;
    this.#directory = join(options.dataDir, 'accounts');
    mkdirSync(this.#directory, { recursive: true, mode: 0o700 });
    this.#index = openIndex(options.dataDir);
    this.firstToken = options.token ?? keptToken(options.dataDir);
    if (this.find(this.firstToken) === undefined) {
      this.create({ seed: 'default' }, this.firstToken);
    }
  }

  /** The account of a bearer token; undefined when there is none. */
  find(token: string): Tenant | undefined {
    const open = this.#byToken.get(token);
    if (open !== undefined) {
      return open;
    }
    const row = this.#index.prepare('SELECT id FROM accounts WHERE token_hash = ?').get(hash(token));
    return row === undefined ? undefined : this.#open(token, String(row.id));
  }

  /** Makes an account and returns its bearer token. */
  create(birth: Birth, token = newToken()): string {
    const id = this.#register(token);
    const { account } = this.#open(token, id);
    account.write(() => this.#options.populate(account, birth));
    return token;
  }

  /** Copies an account as it is at this moment, clock included, and returns the bearer token of the copy. */
  fork(token: string): string {
    const copied = newToken();
    const source = this.#tenant(token).account;
    source.flush();
    const id = randomUUID();
    copyFileSync(source.file, this.#file(id));
    this.#register(copied, id);
    this.#open(copied, id).account.speed = source.speed;
    return copied;
  }

  /** Makes an account new: its records, faults and counted requests are gone, its token, clock and speed stay. */
  reset(token: string, birth: Birth): void {
    const { account } = this.#tenant(token);
    account.close();
    for (const suffix of ['', '-wal', '-shm']) {
      rmSync(account.file + suffix, { force: true });
    }
    const fresh = this.#open(token, account.id).account;
    fresh.speed = account.speed;
    fresh.adoptClock(account.clock);
    fresh.write(() => this.#options.populate(fresh, birth));
  }

  close(): void {
    for (const { account } of this.#byToken.values()) {
      account.close();
    }
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

  #open(token: string, id: string): Tenant {
    const account = new Account(id, this.#file(id), this.#options.machinery, this.#options.speed);
    const tenant = { account, limiter: rateLimiter(this.#options.limits), log: requestLog(REMEMBERED_REQUESTS) };
    this.#byToken.set(token, tenant);
    return tenant;
  }

  #register(token: string, id: string = randomUUID()): string {
    this.#index.prepare('INSERT INTO accounts (id, token_hash) VALUES (?, ?)').run(id, hash(token));
    return id;
  }

  #file(id: string): string {
    return join(this.#directory, `${id}.sqlite`);
  }
}

function openIndex(dataDir: string): DatabaseSync {
  const index = new DatabaseSync(join(dataDir, 'accounts.sqlite'));
  try {
    index.exec('PRAGMA locking_mode = EXCLUSIVE; PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL');
    index.exec('CREATE TABLE IF NOT EXISTS accounts (id TEXT PRIMARY KEY, token_hash TEXT NOT NULL UNIQUE) WITHOUT ROWID');
  } catch (error) {
    index.close();
    throw new Error(
      `the accounts in ${dataDir} can not be opened: is another emulator running on them? End it, or name another data directory`,
      {
        cause: error,
      },
    );
  }
  return index;
}

function keptToken(dataDir: string): string {
  const file = join(dataDir, 'token');
  try {
    return readFileSync(file, 'utf8').trim();
  } catch {
    const token = newToken();
    writeFileSync(file, `${token}\n`, { mode: 0o600 });
    return token;
  }
}

function newToken(): string {
  return `dop_v1_${randomBytes(32).toString('hex')}`;
}

function hash(token: string): string {
  return createHash('sha256').update(token).digest('hex');
}
