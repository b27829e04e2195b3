import { z } from 'zod';
import { type Hints, tool } from '../../catalogue/tool.ts';
import { followAction } from './follow.ts';
import { listActions, listInstances } from './recovery.ts';

/** What every action on a tag's instances shares: the reply lists one action for each instance it could start on. */
const onTag = {
  route: 'POST /v2/droplets/actions',
  query: ({ Tag }: { readonly Tag: string }) => ({ tag_name: Tag }),
  returns: 'actions',
  verify: () => [listActions, listInstances],
  recover: [{ when: /^404/, next: () => [listInstances] }],
  follow: followAction,
} as const;

const tag = () => z.string();
const skipped = 'Skips where it cannot.';

/** An action that needs nothing but the tag. */
function bulkAction(type: string, name: string, title: string, description: string, hints: Partial<Hints>) {
  return tool({
    name,
    title,
    description: `${description} ${skipped}`,
    input: () => z.object({ Tag: tag() }),
    ...onTag,
    body: () => ({ type }),
    hints,
  });
}

export const bulkTools = [
  bulkAction('power_cycle', 'power-cycle-instances-tag', 'Power cycle by tag', 'Cuts and restores the power of all instances with a tag.', {
    destructive: true,
  }),
  bulkAction('power_on', 'power-on-instances-tag', 'Power on by tag', 'Starts all instances with a tag.', { idempotent: true }),
  bulkAction('power_off', 'power-off-instances-tag', 'Power off by tag', 'Cuts the power of all instances with a tag.', {
    destructive: true,
    idempotent: true,
  }),
  bulkAction('shutdown', 'shutdown-instances-tag', 'Shut down by tag', 'Shuts all instances with a tag down gracefully.', {
    destructive: true,
    idempotent: true,
  }),
  bulkAction(
    'enable_backups',
    'enable-backups-instances-tag',
    'Enable backups by tag',
    'Turns weekly backups on for all instances with a tag.',
    { idempotent: true },
  ),
  bulkAction(
    'disable_backups',
    'disable-backups-instances-tag',
    'Disable backups by tag',
    'Turns backups off for all instances with a tag.',
    {
      destructive: true,
      idempotent: true,
    },
  ),
  tool({
    name: 'snapshot-instances-tag',
    title: 'Snapshot by tag',
    description: `Makes a snapshot of every instance with a tag. ${skipped}`,
    input: () => z.object({ Tag: tag(), Name: z.string() }),
    ...onTag,
    body: ({ Name }) => ({ type: 'snapshot', name: Name }),
  }),
  bulkAction(
    'enable_ipv6',
    'enable-ipv6-instances-tag',
    'Enable IPv6 by tag',
    'Gives all instances with a tag an IPv6 address, for good.',
    { idempotent: true },
  ),
  bulkAction(
    'enable_private_networking',
    'enable-private-net-instances-tag',
    'Enable private networking by tag',
    'Puts all instances with a tag into the default VPC of their region.',
    { idempotent: true },
  ),
];
