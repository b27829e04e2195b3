import { z } from 'zod';
import { id, sizeSlug } from '../../catalogue/fields.ts';
import { type Hints, tool } from '../../catalogue/tool.ts';
import { followAction } from './follow.ts';
import { instanceRecovery, listActions, listImages, showInstance } from './recovery.ts';

/** What every action on one instance shares. */
const onInstance = {
  route: 'POST /v2/droplets/{ID}/actions',
  returns: 'action',
  verify: (input: { readonly ID: number }) => [listActions, showInstance(input)],
  recover: instanceRecovery,
  follow: followAction,
} as const;

/** An action that needs nothing but the instance. */
function plainAction(type: string, name: string, title: string, description: string, hints: Partial<Hints>) {
  return tool({
    name,
    title,
    description,
    input: () => z.object({ ID: id() }),
    ...onInstance,
    body: () => ({ type }),
    hints,
  });
}

export const instanceActionTools = [
  tool({
    name: 'instance-action',
    title: 'Get an action of an instance',
    description: 'One action of an instance: in-progress (then ask again), completed or errored.',
    input: () => z.object({ InstanceID: id(), ActionID: id() }),
    route: 'GET /v2/droplets/{InstanceID}/actions/{ActionID}',
    returns: 'action',
    recover: [{ when: /^404/, next: ({ InstanceID }) => [{ tool: 'instance-get', arguments: { ID: InstanceID } }] }],
  }),
  plainAction('reboot', 'instance-reboot', 'Reboot an instance', 'Restarts a running instance gracefully.', {}),
  plainAction(
    'password_reset',
    'reset-instance-password',
    'Reset the root password',
    "Resets the root password; the new one is mailed to the account's owner and never returned.",
    { destructive: true },
  ),
  tool({
    name: 'rename-instance',
    title: 'Rename an instance',
    description: 'Gives an instance another name, in any power state.',
    input: () => z.object({ ID: id(), Name: z.string() }),
    ...onInstance,
    body: ({ Name }) => ({ type: 'rename', name: Name }),
    hints: { idempotent: true },
  }),
  tool({
    name: 'change-kernel-instance',
    title: 'Change the kernel',
    description: 'Only for an old instance whose kernel is managed from outside (made before 2017).',
    input: () => z.object({ ID: id(), KernelID: id() }),
    ...onInstance,
    body: ({ KernelID }) => ({ type: 'change_kernel', kernel: KernelID }),
    hints: { idempotent: true },
  }),
  plainAction('enable_ipv6', 'enable-ipv6-instance', 'Enable IPv6', 'Gives an instance an IPv6 address; this cannot be undone.', {
    idempotent: true,
  }),
  plainAction(
    'enable_private_networking',
    'enable-private-net-instance',
    'Enable private networking',
    'Puts an old instance without a private network into the default VPC of its region.',
    { idempotent: true },
  ),
  plainAction('enable_backups', 'enable-backups-instance', 'Enable backups', 'Turns weekly backups on, at extra cost.', {
    idempotent: true,
  }),
  plainAction(
    'disable_backups',
    'disable-backups-instance',
    'Disable backups',
    'Turns backups off; those that exist stay as images until they are deleted.',
    { destructive: true, idempotent: true },
  ),
  plainAction(
    'power_cycle',
    'power-cycle-instance',
    'Power cycle an instance',
    'Cuts the power and turns it on again, like a reset button.',
    {
      destructive: true,
    },
  ),
  plainAction('power_on', 'power-on-instance', 'Power on an instance', 'Starts an instance that is off.', { idempotent: true }),
  plainAction(
    'power_off',
    'power-off-instance',
    'Power off an instance',
    'Cuts the power at once; shutdown-instance is the graceful way. It still costs while off.',
    {
      destructive: true,
      idempotent: true,
    },
  ),
  plainAction(
    'shutdown',
    'shutdown-instance',
    'Shut an instance down',
    'Asks the system to shut down; when it does not within the action, power-off-instance does.',
    {
      destructive: true,
      idempotent: true,
    },
  ),
  tool({
    name: 'rebuild-instance-by-slug',
    title: 'Rebuild from a public image',
    description: 'Replaces the disk of an instance by a public image, such as ubuntu-24-04-x64. Its data is lost; id and addresses stay.',
    input: () => z.object({ ID: id(), ImageSlug: z.string() }),
    ...onInstance,
    body: ({ ImageSlug }) => ({ type: 'rebuild', image: ImageSlug }),
    hints: { destructive: true },
  }),
  tool({
    name: 'rebuild-instance',
    title: 'Rebuild from an image',
    description: 'Replaces the disk of an instance by an image, such as a snapshot. Its data is lost; id and addresses stay.',
    input: () => z.object({ ID: id(), ImageID: id() }),
    ...onInstance,
    body: ({ ImageID }) => ({ type: 'rebuild', image: ImageID }),
    hints: { destructive: true },
  }),
  tool({
    name: 'restore-instance',
    title: 'Restore from a backup',
    description: 'Puts an instance back to one of its own backups or snapshots. What came since is lost.',
    input: () => z.object({ ID: id(), ImageID: id() }),
    ...onInstance,
    body: ({ ImageID }) => ({ type: 'restore', image: ImageID }),
    recover: [{ when: /\bimage\b|backup/i, next: (input) => [showInstance(input), listImages] }, ...instanceRecovery],
    hints: { destructive: true },
  }),
  tool({
    name: 'resize-instance',
    title: 'Resize an instance',
    description: 'Changes the size of an instance that is off. With ResizeDisk the disk grows too, which cannot be undone.',
    input: () =>
      z.object({
        ID: id(),
        Size: sizeSlug(),
        ResizeDisk: z.boolean().default(false),
      }),
    ...onInstance,
    body: ({ Size, ResizeDisk }) => ({ type: 'resize', size: Size, disk: ResizeDisk }),
    hints: { destructive: true, idempotent: true },
  }),
  tool({
    name: 'snapshot-instance',
    title: 'Snapshot an instance',
    description: 'Makes an image of the disk of an instance, also while it runs; off is safer. The image is in image-list with Type user.',
    input: () => z.object({ ID: id(), Name: z.string() }),
    ...onInstance,
    body: ({ Name }) => ({ type: 'snapshot', name: Name }),
  }),
];
