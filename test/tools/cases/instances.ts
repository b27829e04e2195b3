import type { RoutedCase } from './case.ts';

const act = (body: unknown) => ({ method: 'POST', path: '/v2/droplets/9/actions', body }) as const;
const onTag = (body: unknown) => ({ method: 'POST', path: '/v2/droplets/actions?tag_name=web%20tier', body }) as const;

export const instanceCases: readonly RoutedCase[] = [
  [
    'instance-create',
    { Name: 'web-1', Size: 's-1vcpu-1gb', ImageID: 3, Region: 'nyc3' },
    {
      method: 'POST',
      path: '/v2/droplets',
      body: { name: 'web-1', size: 's-1vcpu-1gb', image: 3, region: 'nyc3', backups: false, monitoring: false },
    },
  ],
  [
    'instance-create',
    { Name: 'w', Size: 's', ImageID: 3, Region: 'r', Backup: true, Monitoring: true, Tags: ['web'], SSHKeys: [4, 5] },
    {
      method: 'POST',
      path: '/v2/droplets',
      body: { name: 'w', size: 's', image: 3, region: 'r', backups: true, monitoring: true, tags: ['web'], ssh_keys: [4, 5] },
    },
  ],
  ['instance-delete', { ID: 9 }, { method: 'DELETE', path: '/v2/droplets/9' }],
  ['instance-get', { ID: 9 }, { method: 'GET', path: '/v2/droplets/9' }],
  ['instance-list', {}, { method: 'GET', path: '/v2/droplets?page=1&per_page=50' }],
  ['instance-action', { InstanceID: 9, ActionID: 8 }, { method: 'GET', path: '/v2/droplets/9/actions/8' }],
  ['instance-reboot', { ID: 9 }, act({ type: 'reboot' })],
  ['reset-instance-password', { ID: 9 }, act({ type: 'password_reset' })],
  ['rename-instance', { ID: 9, Name: 'db-1' }, act({ type: 'rename', name: 'db-1' })],
  ['change-kernel-instance', { ID: 9, KernelID: 1 }, act({ type: 'change_kernel', kernel: 1 })],
  ['enable-ipv6-instance', { ID: 9 }, act({ type: 'enable_ipv6' })],
  ['enable-private-net-instance', { ID: 9 }, act({ type: 'enable_private_networking' })],
  ['enable-backups-instance', { ID: 9 }, act({ type: 'enable_backups' })],
  ['disable-backups-instance', { ID: 9 }, act({ type: 'disable_backups' })],
  ['power-cycle-instance', { ID: 9 }, act({ type: 'power_cycle' })],
  ['power-on-instance', { ID: 9 }, act({ type: 'power_on' })],
  ['power-off-instance', { ID: 9 }, act({ type: 'power_off' })],
  ['shutdown-instance', { ID: 9 }, act({ type: 'shutdown' })],
  ['rebuild-instance-by-slug', { ID: 9, ImageSlug: 'debian-12-x64' }, act({ type: 'rebuild', image: 'debian-12-x64' })],
  ['rebuild-instance', { ID: 9, ImageID: 3 }, act({ type: 'rebuild', image: 3 })],
  ['restore-instance', { ID: 9, ImageID: 3 }, act({ type: 'restore', image: 3 })],
  ['resize-instance', { ID: 9, Size: 's-2vcpu-2gb' }, act({ type: 'resize', size: 's-2vcpu-2gb', disk: false })],
  ['resize-instance', { ID: 9, Size: 's', ResizeDisk: true }, act({ type: 'resize', size: 's', disk: true })],
  ['snapshot-instance', { ID: 9, Name: 'before' }, act({ type: 'snapshot', name: 'before' })],
  ...(
    [
      ['power-cycle-instances-tag', 'power_cycle'],
      ['power-on-instances-tag', 'power_on'],
      ['power-off-instances-tag', 'power_off'],
      ['shutdown-instances-tag', 'shutdown'],
      ['enable-backups-instances-tag', 'enable_backups'],
      ['disable-backups-instances-tag', 'disable_backups'],
      ['enable-ipv6-instances-tag', 'enable_ipv6'],
      ['enable-private-net-instances-tag', 'enable_private_networking'],
    ] as const
  ).map(([name, type]): RoutedCase => [name, { Tag: 'web tier' }, onTag({ type })]),
  ['snapshot-instances-tag', { Tag: 'web tier', Name: 'nightly' }, onTag({ type: 'snapshot', name: 'nightly' })],
];
