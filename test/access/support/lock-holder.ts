import { DatabaseSync } from 'node:sqlite';

/** A process that writes into the file of a store, and is not done before it is told so. */
const db = new DatabaseSync(process.argv[2] ?? '');
process.on('message', () => {
  db.exec('COMMIT');
  db.close();
  process.disconnect();
});
db.exec('BEGIN IMMEDIATE');
process.send?.('writing');
