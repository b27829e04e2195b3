import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import type { Json, Platform } from './platform.ts';

/** Everything that the only account of a data directory holds: each table with all its rows. It is saved as a snapshot and read from there. */
export async function accountContents(platform: Platform, dataDir: string): Promise<Readonly<Record<string, readonly Json[]>>> {
  const saved = await platform.post('/_emulator/snapshots', { name: 'contents' });
  if (saved.status !== 201) {
    throw new Error(`POST /_emulator/snapshots: ${saved.status} ${saved.body.message}`);
  }
  const accounts = join(dataDir, 'accounts');
  const [directory = ''] = readdirSync(accounts).filter((name) => name.endsWith('.snapshots'));
  const db = new DatabaseSync(join(accounts, directory, 'contents.sqlite'), { readOnly: true });
  try {
    const tables = db.prepare("SELECT name FROM sqlite_master WHERE type = 'table' ORDER BY name").all();
    return Object.fromEntries(tables.map(({ name }) => [name, db.prepare(`SELECT * FROM "${name}"`).all()]));
  } finally {
    db.close();
  }
}
