import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseEnv } from 'node:util';

/** Whether the functions of a project will share a store, as far as the settings that they are deployed with tell. */
export function hasStore(root: string): boolean {
  const file = join(root, 'settings.env');
  const setting = process.env.KV_URL?.trim() || (existsSync(file) ? parseEnv(readFileSync(file, 'utf8')).KV_URL?.trim() : undefined);
  return Boolean(setting);
}
