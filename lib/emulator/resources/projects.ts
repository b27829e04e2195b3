import { randomUUID } from 'node:crypto';
import type { Account } from '../store/account.ts';

const DEFAULT_PROJECT = 'project.default';

/** The id of the account's default project, which resources belong to when they name no other; made at its first use, inside a write. */
export function defaultProject(account: Account): string {
  const known = account.setting(DEFAULT_PROJECT);
  if (known !== undefined) {
    return known;
  }
  const id = randomUUID();
  account.set(DEFAULT_PROJECT, id);
  return id;
}
