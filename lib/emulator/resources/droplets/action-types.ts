import { messages } from '../../assumptions.ts';
import { findKernel } from '../../catalogue/kernels.ts';
import { findSize } from '../../catalogue/sizes.ts';
import { unprocessable } from '../../errors.ts';
import { flag, type JsonObject, requiredInteger, requiredText } from '../../fields.ts';
import type { Account } from '../../store/account.ts';
import { startCharge, stopCharge } from '../charges.ts';
import { findImage, images } from '../images/images.ts';
import { renameMember } from '../vpc-members.ts';
import { defaultVpc } from '../vpcs.ts';
import { parsePolicy, requirePolicy, withBackups, withoutBackups } from './backups.ts';
import { checkName, unfitImage } from './create.ts';
import { chargeRef, type Droplet, type DropletEntry, dropletUrn } from './droplets.ts';
import { makeImage } from './make-image.ts';
import { withIpv6, withPrivateNetworking } from './networks.ts';
import { mailPassword } from './password-mail.ts';

/** One type of action. */
export interface ActionType<Params = unknown> {
  /** Whether it may be asked for all droplets under a tag. */
  readonly byTag?: boolean;
  /** Reads what the body says beside the type; errors: 422, for every droplet alike. */
  readonly parse?: (body: JsonObject) => Params;
  /** Why this droplet may not begin it: the platform's message, for a 422. */
  readonly refuse?: (droplet: DropletEntry, params: Params, account: Account) => string | undefined;
  /** The droplet after it. */
  readonly finish?: (droplet: DropletEntry, params: Params, account: Account) => DropletEntry;
}

const isOff = ({ wire }: DropletEntry): boolean => wire.status === 'off';
const has = ({ wire }: DropletEntry, feature: string): boolean => wire.features.includes(feature);
const change = ({ wire, hidden }: DropletEntry, changes: Partial<Droplet>): DropletEntry => ({ wire: { ...wire, ...changes }, hidden });

const power: ActionType = { byTag: true, finish: (droplet) => change(droplet, { status: 'active' }) };

const switchOff: ActionType = {
  byTag: true,
  refuse: (droplet) => (isOff(droplet) ? messages.alreadyOff : undefined),
  finish: (droplet) => change(droplet, { status: 'off' }),
};

const reimage = {
  parse: (body: JsonObject) => ({ image: body.image }),
  finish: (droplet: DropletEntry, { image }: { readonly image: unknown }, account: Account): DropletEntry => {
    const imageId = findImage(account, image)?.id ?? droplet.hidden.imageId;
    return { wire: { ...droplet.wire, status: 'active' }, hidden: { ...droplet.hidden, imageId } };
  },
};

/** Every action of a droplet. Source: operation dropletActions_post; the words of refusals, where they are not known, are in assumptions.ts. */
export const actionTypes: ReadonlyMap<string, ActionType> = new Map<string, ActionType>([
  ['power_on', { ...power, refuse: (droplet) => (isOff(droplet) ? undefined : messages.alreadyOn) }],
  ['power_off', switchOff],
  ['shutdown', switchOff],
  ['reboot', { ...power, byTag: false, refuse: (droplet) => (isOff(droplet) ? messages.currentlyOff : undefined) }],
  ['power_cycle', power],
  named('rename', {
    parse: (body) => ({ name: checkName(requiredText(body, 'name')) }),
    finish: (droplet, { name }, account) => {
      renameMember(account, droplet.wire.vpc_uuid, dropletUrn(droplet.wire.id), name);
      account.announce('droplet.renamed', droplet.wire.id);
      return change(droplet, { name });
    },
  }),
  named('resize', {
    parse: (body) => ({ size: requiredText(body, 'size'), disk: flag(body, 'disk') }),
    refuse: refuseResize,
    finish: (droplet, { size: slug, disk }, account) => {
      const size = findSize(slug);
      if (size === undefined) {
        return droplet;
      }
      stopCharge(account, chargeRef(droplet.wire.id));
      startCharge(account, chargeRef(droplet.wire.id), size);
      const wider = disk ? { disk: size.disk, disk_info: size.disk_info } : {};
      return change(droplet, { size_slug: size.slug, memory: size.memory, vcpus: size.vcpus, ...wider });
    },
  }),
  named('snapshot', {
    byTag: true,
    parse: (body) => {
      if (typeof body.name !== 'string' || body.name === '') {
        throw unprocessable(messages.snapshotName);
      }
      return { name: body.name };
    },
    finish: (droplet, { name }, account) => {
      const image = makeImage(account, droplet, 'snapshot', name);
      return change(droplet, { snapshot_ids: [...droplet.wire.snapshot_ids, image.id] });
    },
  }),
  named('rebuild', {
    ...reimage,
    refuse: ({ wire, hidden }, { image }, account) => unfitImage(findImage(account, image), hidden.region, wire.disk),
  }),
  named('restore', {
    ...reimage,
    refuse: ({ wire }, { image }, account) => {
      const own = typeof image === 'number' ? images.get(account, image) : undefined;
      return own?.hidden.dropletId === wire.id && own.wire.type !== 'custom' ? undefined : messages.restoreForeign;
    },
  }),
  named('enable_backups', {
    byTag: true,
    parse: (body) => {
      parsePolicy(body.backup_policy, 0);
      return { policy: body.backup_policy };
    },
    refuse: (droplet) => (has(droplet, 'backups') ? messages.backupsOn : undefined),
    finish: (droplet, { policy }, account) => withBackups(account, droplet, parsePolicy(policy, droplet.wire.id)),
  }),
  named('change_backup_policy', {
    parse: (body) => {
      requirePolicy(body.backup_policy, 0);
      return { policy: body.backup_policy };
    },
    refuse: (droplet) => (has(droplet, 'backups') ? undefined : messages.backupsOff),
    finish: (droplet, { policy }, account) => withBackups(account, droplet, parsePolicy(policy, droplet.wire.id)),
  }),
  named('disable_backups', {
    byTag: true,
    refuse: (droplet) => (has(droplet, 'backups') ? undefined : messages.backupsOff),
    finish: (droplet) => withoutBackups(droplet),
  }),
  named('enable_ipv6', {
    byTag: true,
    refuse: (droplet) => (has(droplet, 'ipv6') ? messages.ipv6On : undefined),
    finish: (droplet, _params, account) => withIpv6(account, droplet),
  }),
  named('enable_private_networking', {
    byTag: true,
    refuse: (droplet) => (has(droplet, 'private_networking') ? messages.privateNetworkingOn : undefined),
    finish: (droplet, _params, account) => withPrivateNetworking(account, droplet, defaultVpc(account, droplet.hidden.region)),
  }),
  named('change_kernel', {
    parse: (body) => ({ kernel: requiredInteger(body, 'kernel') }),
    refuse: ({ wire }, { kernel }) => {
      if (wire.kernel === null) {
        return messages.internalKernel;
      }
      return findKernel(kernel) === undefined ? messages.kernelUnknown : undefined;
    },
    finish: (droplet, { kernel }) => change(droplet, { kernel: findKernel(kernel) ?? droplet.wire.kernel }),
  }),
  named('password_reset', {
    finish: (droplet, _params, account) => {
      mailPassword(account, droplet.wire);
      return droplet;
    },
  }),
]);

/** An entry of the table whose params are what its own parse reads: they come back to it unchanged from the store. */
function named<Params>(name: string, type: ActionType<Params>): readonly [string, ActionType] {
  // Only runActions calls these, and only with what `parse` of the same entry returned.
  return [name, type as ActionType];
}

interface Resize {
  readonly size: string;
  readonly disk: boolean;
}

function refuseResize(droplet: DropletEntry, { size: slug }: Resize): string | undefined {
  const { wire, hidden } = droplet;
  const size = findSize(slug);
  if (size === undefined) {
    return messages.sizeInvalid;
  }
  if (!isOff(droplet)) {
    return messages.resizeWhileOn;
  }
  if (!size.regions.includes(hidden.region)) {
    return messages.sizeNotInRegion;
  }
  if (size.slug === wire.size_slug) {
    return messages.sameSize;
  }
  return size.disk < wire.disk ? "Size can not decrease size of Droplet's disk image" : undefined;
}
