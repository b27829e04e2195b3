import { z } from 'zod';
import { id, paging, regionSlug, sizeSlug } from '../../catalogue/fields.ts';
import { tool } from '../../catalogue/tool.ts';
import { followInstance } from './follow.ts';
import { instanceRecovery, listImages, listInstances, listSizes, showInstance } from './recovery.ts';

/** What an instance comes down to in a list: enough to choose one and to reach it. */
const instanceSummary = ['id', 'name', 'status', 'size_slug', 'region.slug', 'image.slug', 'networks.v4.ip_address', 'tags'];

export const instanceTools = [
  tool({
    name: 'instance-create',
    title: 'Create an instance',
    description: 'Creates an instance, "new" at first and "active" within a minute. The result carries its create action too.',
    input: () =>
      z.object({
        Name: z.string().describe('Letters, digits, dots and hyphens'),
        Size: sizeSlug(),
        ImageID: id('Out of image-list'),
        Region: regionSlug(),
        Backup: z.boolean().default(false).describe('Weekly, at extra cost'),
        Monitoring: z.boolean().default(false).describe('Install the metrics agent'),
        Tags: z.array(z.string()).optional().describe('Missing ones are made'),
        SSHKeys: z.array(z.int()).optional().describe('Ids out of key-list'),
      }),
    route: 'POST /v2/droplets',
    body: ({ Name, Size, ImageID, Region, Backup, Monitoring, Tags, SSHKeys }) => ({
      name: Name,
      size: Size,
      image: ImageID,
      region: Region,
      backups: Backup,
      monitoring: Monitoring,
      tags: Tags,
      ssh_keys: SSHKeys,
    }),
    returns: 'droplet',
    follow: followInstance,
    verify: () => listInstances,
    recover: [
      { when: /\blimit\b/i, next: () => [{ tool: 'account-get-information', arguments: {} }, listInstances] },
      { when: /\bkey\b/i, next: () => [{ tool: 'key-list', arguments: {} }] },
      { when: /\bimage\b/i, next: () => [listImages] },
      { when: /\b(size|region)\b/i, next: () => [listSizes] },
    ],
  }),
  tool({
    name: 'instance-delete',
    title: 'Delete an instance',
    description: 'Destroys an instance and its backups for good, also while it runs. Snapshots stay.',
    input: () => z.object({ ID: id() }),
    route: 'DELETE /v2/droplets/{ID}',
    verify: showInstance,
    recover: instanceRecovery,
  }),
  tool({
    name: 'instance-get',
    title: 'Get an instance',
    description:
      'One instance whole: status (new, active, off), whether an action is pending (locked), size, image, networks, tags, backups and snapshots.',
    input: () => z.object({ ID: id() }),
    route: 'GET /v2/droplets/{ID}',
    returns: 'droplet',
    recover: instanceRecovery,
  }),
  tool({
    name: 'instance-list',
    title: 'List instances',
    description: 'All instances with status, size, region, image, addresses and tags.',
    input: () => z.object(paging(50)),
    route: 'GET /v2/droplets',
    returns: 'droplets',
    summary: instanceSummary,
  }),
];
