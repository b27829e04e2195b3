import type { Toolset } from '../../catalogue/tool.ts';
import { alertPolicyTools } from './alert-policy.ts';
import { uptimeCheckTools } from './uptimecheck.ts';
import { uptimeCheckAlertTools } from './uptimecheck-alert.ts';

/** Insights: uptime checks, their alerts, and alert policies on metrics. */
export const insights: Toolset = {
  name: 'insights',
  title: 'Uptime checks and alert policies',
  tools: [...uptimeCheckTools, ...uptimeCheckAlertTools, ...alertPolicyTools],
};
