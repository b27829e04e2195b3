import { badRequest } from '../errors.ts';
import type { JsonObject } from '../fields.ts';
import type { Birth } from '../store/accounts.ts';
import { refuseUnknownKeys } from './known-keys.ts';

/** Reads how an account is to begin: `{seed, dropletLimit, status}`, by default believable and active. Errors: 400. */
export function parseBirth(body: JsonObject): Birth {
  refuseUnknownKeys('account', body, ['seed', 'dropletLimit', 'status']);
  const { seed = 'default', dropletLimit, status = 'active' } = body;
  if (seed !== 'default' && seed !== 'empty') {
    throw badRequest('seed must be "default" or "empty".');
  }
  if (status !== 'active' && status !== 'warning' && status !== 'locked') {
    throw badRequest('status must be "active", "warning" or "locked".');
  }
  if (dropletLimit === undefined) {
    return { seed, status };
  }
  if (typeof dropletLimit !== 'number' || !Number.isSafeInteger(dropletLimit) || dropletLimit < 0) {
    throw badRequest('dropletLimit must be an integer from 0.');
  }
  return { seed, status, dropletLimit };
}
