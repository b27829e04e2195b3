import { z } from 'zod';

/** A Slack webhook to notify. */
export interface SlackTarget {
  readonly Channel: string;
  readonly URL: string;
}

/** Slack webhooks to notify, as arguments. */
export function slackTargets() {
  return z.array(z.strictObject({ Channel: z.string(), URL: z.string() }));
}

/** Slack webhooks as the platform words them. */
export function slackBody(targets: readonly SlackTarget[]) {
  return targets.map(({ Channel, URL }) => ({ channel: Channel, url: URL }));
}
