import type { NextCall } from '../../errors.ts';

export const listChecks: NextCall = { tool: 'uptimecheck-list', arguments: {} };
export const listPolicies: NextCall = { tool: 'alert-policy-list', arguments: {} };

/** The uptime check as it stands. */
export function showCheck(input: { readonly ID: string }): NextCall {
  return { tool: 'uptimecheck-get', arguments: { ID: input.ID } };
}

/** The alerts of an uptime check. */
export function listAlerts(input: { readonly CheckID: string }): NextCall {
  return { tool: 'uptimecheck-alert-list', arguments: { CheckID: input.CheckID } };
}

/** One alert of an uptime check as it stands. */
export function showAlert(input: { readonly CheckID: string; readonly AlertID: string }): NextCall {
  return { tool: 'uptimecheck-alert-get', arguments: { CheckID: input.CheckID, AlertID: input.AlertID } };
}

/** The alert policy as it stands. */
export function showPolicy(input: { readonly UUID: string }): NextCall {
  return { tool: 'alert-policy-get', arguments: { UUID: input.UUID } };
}

export const unknownCheck = [{ when: /^404/, next: () => [listChecks] }];
export const unknownPolicy = [{ when: /^404/, next: () => [listPolicies] }];

/** Of check and alert, either may be the one that is not there. */
export const unknownAlert = [{ when: /^404/, next: (input: { readonly CheckID: string }) => [listAlerts(input), listChecks] }];
