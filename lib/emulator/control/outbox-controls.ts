import { type Incident, incidents, KEPT_INCIDENTS } from '../alerting/incidents.ts';
import { timestamp } from '../calendar.ts';
import { conflict, PlatformError } from '../errors.ts';
import { integerId } from '../fields.ts';
import { redeliver } from '../notifiers/retry.ts';
import type { Account } from '../store/account.ts';
import { deleteEntry, KEPT_ENTRIES, type OutboxState, outboxEntries, outboxEntry, type StoredEntry } from '../store/outbox.ts';

/** Something that left the account: a mail, a notice. */
export interface OutboxNote {
  readonly id: number;
  readonly at: string;
  readonly kind: string;
  readonly state: string;
  readonly [detail: string]: unknown;
}

/** What has left an account, what became of it, and what it was about. */
export interface OutboxControls {
  /** Oldest first; all of it, or what is in one state: `dead` is what could not be delivered. */
  outbox(state?: string): readonly OutboxNote[];
  /** Has a dead entry delivered after all. Errors: 404 where there is none of this id, 409 for one that is not dead. */
  redeliver(id: number): OutboxNote;
  /** Forgets an entry that is over. Errors: 404 where there is none of this id, 409 for one that is on its way. */
  forgetNote(id: number): void;
  /** Each time that an alert fired, oldest first. */
  incidents(): readonly Incident[];
}

/** The id of an entry as a path has it. Errors: 404 for what is none. */
export function entryId(text = ''): number {
  const id = integerId(text);
  if (id === undefined) {
    throw unknownEntry(JSON.stringify(text));
  }
  return id;
}

const ON_THE_WAY: ReadonlySet<string> = new Set<OutboxState>(['pending', 'leaving', 'waiting']);

export function outboxControls(account: () => Account): OutboxControls {
  return {
    outbox: (state) => {
      const current = account();
      return current.read(() => outboxEntries(current, KEPT_ENTRIES, state)).map(toNote);
    },
    redeliver: (id) => {
      const current = account();
      return current.write(() => {
        const entry = knownEntry(current, id);
        if (entry.state !== 'dead') {
          throw conflict(`The entry ${id} of the outbox is ${entry.state}; only what is dead can be delivered again.`);
        }
        redeliver(current, id);
        return toNote(knownEntry(current, id));
      });
    },
    forgetNote: (id) => {
      const current = account();
      current.write(() => {
        const { state } = knownEntry(current, id);
        if (ON_THE_WAY.has(state)) {
          throw conflict(`The entry ${id} of the outbox is ${state}; it can be deleted once it is delivered or dead.`);
        }
        deleteEntry(current, id);
      });
    },
    incidents: () => {
      const current = account();
      const texts = current.read(() => incidents.source(current).texts(KEPT_INCIDENTS, 0));
      return texts.map((text): Incident => JSON.parse(text)).toReversed();
    },
  };
}

function knownEntry(account: Account, id: number): StoredEntry {
  const entry = Number.isSafeInteger(id) ? outboxEntry(account, id) : undefined;
  if (entry === undefined) {
    throw unknownEntry(id);
  }
  return entry;
}

function unknownEntry(id: number | string): PlatformError {
  return new PlatformError(
    404,
    'not_found',
    `There is no entry ${id} in the outbox: GET /_emulator/outbox lists what there is, with ?state=dead what can be redelivered.`,
  );
}

function toNote({ id, atMs, kind, state, data }: StoredEntry): OutboxNote {
  return { id, at: timestamp(atMs), kind, state, ...data };
}
