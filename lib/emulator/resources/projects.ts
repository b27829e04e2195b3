import { randomUUID } from 'node:crypto';
import { networkMessages } from '../assumptions.ts';
import { unprocessable } from '../errors.ts';
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

/** The project that a request names, or the default one where it names none. Errors: 422 for a project that is not the account's. */
export function chosenProject(account: Account, wished: string | undefined): string {
  const project = defaultProject(account);
  if (wished !== undefined && wished !== '' && wished.toLowerCase() !== project) {
    throw unprocessable(networkMessages.projectUnknown);
  }
  return project;
}
