import { HostError } from '../host-error.ts';

/**
 * `/namespaces/_/triggers` and `/rules`: the platform runs functions on a schedule and offers nothing else of these (platform reference,
 * row 14), so that a client is told at once instead of having triggers that never fire. HostError `not_found`.
 */
export function refuseTriggers(collection: 'triggers' | 'rules'): never {
  const wayOut = 'functions are called by schedules, which project.yml declares as "triggers" and /v2/functions/namespaces serves';
  throw new HostError('not_found', `The requested resource does not exist: there are no ${collection} here; ${wayOut}.`);
}
