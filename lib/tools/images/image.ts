import { z } from 'zod';
import { id, paging, regionSlug } from '../../catalogue/fields.ts';
import { path } from '../../catalogue/path.ts';
import { tool } from '../../catalogue/tool.ts';
import { imageRecovery, listOwnImages, showImage } from './recovery.ts';

const imageSummary = ['id', 'name', 'distribution', 'slug', 'type', 'public', 'status', 'regions', 'min_disk_size', 'created_at'];

export const imageTools = [
  tool({
    name: 'image-list',
    title: 'List images',
    description: 'Images for instances: public distributions and applications, your own snapshots, backups and custom images.',
    input: () =>
      z.object({
        ...paging(50),
        Type: z.enum(['distribution', 'application', 'user']).optional(),
      }),
    route: 'GET /v2/images',
    query: ({ Type }) => (Type === 'user' ? { private: true } : { type: Type }),
    returns: 'images',
    summary: imageSummary,
  }),
  tool({
    name: 'image-get',
    title: 'Get an image',
    description: 'One image whole: type, status, regions it is in, size, and for a failed import the reason.',
    input: () => z.object({ ID: id() }),
    route: 'GET /v2/images/{ID}',
    returns: 'image',
    recover: imageRecovery,
  }),
  tool({
    name: 'image-create',
    title: 'Import a custom image',
    description:
      'Imports a disk image from a URL (raw, qcow2, vhdx, vdi or vmdk, also compressed, under 100 GB). It is usable once its status is available.',
    input: () =>
      z.object({
        Name: z.string(),
        Url: z.string(),
        Region: regionSlug(),
        Distribution: z.string().optional().describe('Such as Ubuntu or Debian; Unknown if none fits'),
        Description: z.string().optional(),
        Tags: z.array(z.string()).optional(),
      }),
    route: 'POST /v2/images',
    body: ({ Name, Url, Region, Distribution, Description, Tags }) => ({
      name: Name,
      url: Url,
      region: Region,
      distribution: Distribution,
      description: Description,
      tags: Tags,
    }),
    returns: 'image',
    verify: () => listOwnImages,
    follow: {
      path: (_, image) => path`/v2/images/${String(image.id)}`,
      returns: 'image',
      pending: ['new', 'pending'],
      next: (_, image) => ({ tool: 'image-get', arguments: { ID: image.id } }),
    },
  }),
  tool({
    name: 'image-update',
    title: 'Rename an image',
    description: 'Gives one of your own images another name.',
    input: () => z.object({ ID: id(), Name: z.string() }),
    route: 'PUT /v2/images/{ID}',
    body: ({ Name }) => ({ name: Name }),
    returns: 'image',
    verify: showImage,
    recover: imageRecovery,
  }),
  tool({
    name: 'image-delete',
    title: 'Delete an image',
    description: 'Deletes one of your own snapshots, backups or custom images. Public images cannot be deleted.',
    input: () => z.object({ ID: id() }),
    route: 'DELETE /v2/images/{ID}',
    verify: showImage,
    recover: imageRecovery,
  }),
];
