/**
 * What every account file has, whatever families there are. Each table
 * is one tree where it can be: a write costs as much as the number of trees it touches.
 */
export const coreTables: readonly string[] = [
  'CREATE TABLE settings (key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID',
  'CREATE TABLE counters (name TEXT PRIMARY KEY, value INTEGER NOT NULL) WITHOUT ROWID',
  'CREATE TABLE due (at INTEGER NOT NULL, seq INTEGER NOT NULL, kind TEXT NOT NULL, ref TEXT NOT NULL, data TEXT NOT NULL, PRIMARY KEY (at, seq)) WITHOUT ROWID',
  'CREATE TABLE outbox (id INTEGER PRIMARY KEY AUTOINCREMENT, at INTEGER NOT NULL, kind TEXT NOT NULL, state TEXT NOT NULL, lane TEXT, data TEXT NOT NULL)',
  "CREATE INDEX outbox_pending ON outbox (id) WHERE state = 'pending'",
  "CREATE INDEX outbox_lane ON outbox (lane, id) WHERE lane IS NOT NULL AND state IN ('pending', 'leaving', 'waiting')",
];
