import { openRegions } from './region-slugs.ts';

/** An image as the platform shows it. Source: the OpenAPI document, component `image`. */
export interface Image {
  readonly id: number;
  readonly name: string;
  readonly distribution: string;
  readonly slug: string | null;
  readonly public: boolean;
  readonly regions: readonly string[];
  readonly created_at: string;
  readonly type: 'base' | 'snapshot' | 'backup' | 'custom';
  readonly min_disk_size: number | null;
  readonly size_gigabytes: number | null;
  readonly description: string;
  readonly tags: readonly string[];
  readonly status: 'NEW' | 'available' | 'pending' | 'deleted' | 'retired';
  readonly error_message: string;
}

/** id, slug, name, distribution, size in GB, created, description. The document's list of distributions has no AlmaLinux: it shows as Unknown. */
type Line = readonly [number, string | null, string, string, number, string, string];

const DISTRIBUTIONS: readonly Line[] = [
  [97_000_115, 'ubuntu-25-04-x64', '25.04 x64', 'Ubuntu', 0.68, '2025-04-18T09:12:40Z', 'Ubuntu 25.04 x64'],
  [97_000_114, 'ubuntu-24-04-x64', '24.04 (LTS) x64', 'Ubuntu', 0.64, '2024-05-07T13:47:05Z', 'Ubuntu 24.04 (LTS) x64'],
  [97_000_113, 'ubuntu-22-04-x64', '22.04 (LTS) x64', 'Ubuntu', 0.65, '2022-06-02T18:20:41Z', 'Ubuntu 22.04 (LTS) x64'],
  [97_000_112, 'debian-13-x64', '13 x64', 'Debian', 0.59, '2025-08-20T16:02:19Z', 'Debian 13 x64'],
  [97_000_111, 'debian-12-x64', '12 x64', 'Debian', 0.56, '2023-08-08T17:32:51Z', 'Debian 12 x64'],
  [97_000_110, 'debian-11-x64', '11 x64', 'Debian', 0.53, '2022-01-04T21:11:38Z', 'Debian 11 x64'],
  [97_000_109, 'fedora-42-x64', '42 x64', 'Fedora', 0.71, '2025-04-22T20:03:10Z', 'Fedora 42 x64'],
  [97_000_108, 'fedora-41-x64', '41 x64', 'Fedora', 0.7, '2024-11-05T15:40:27Z', 'Fedora 41 x64'],
  [97_000_107, 'centos-stream-10-x64', '10 Stream x64', 'CentOS', 1.12, '2025-02-11T19:08:55Z', 'CentOS 10 Stream x64'],
  [97_000_106, 'centos-stream-9-x64', '9 Stream x64', 'CentOS', 1.06, '2022-03-10T16:20:03Z', 'CentOS 9 Stream x64'],
  [97_000_105, 'rockylinux-10-x64', '10 x64', 'Rocky Linux', 1.05, '2025-07-01T14:55:47Z', 'Rocky Linux 10 x64'],
  [97_000_104, 'rockylinux-9-x64', '9 x64', 'Rocky Linux', 1.01, '2022-08-10T19:44:12Z', 'Rocky Linux 9 x64'],
  [97_000_103, 'rockylinux-8-x64', '8 x64', 'Rocky Linux', 1.98, '2022-05-16T20:30:39Z', 'Rocky Linux 8 x64'],
  [97_000_102, 'almalinux-9-x64', 'AlmaLinux 9', 'Unknown', 1.17, '2022-06-30T18:56:24Z', 'AlmaLinux 9 x64'],
  [97_000_101, 'almalinux-8-x64', 'AlmaLinux 8', 'Unknown', 1.25, '2022-05-23T15:37:18Z', 'AlmaLinux 8 x64'],
];

const APPLICATIONS: readonly Line[] = [
  [97_000_205, 'docker-20-04', 'Docker on Ubuntu 22.04', 'Ubuntu', 1.83, '2023-09-14T12:00:00Z', 'Docker'],
  [97_000_204, 'wordpress-20-04', 'WordPress on Ubuntu 24.04', 'Ubuntu', 2.27, '2024-07-19T12:00:00Z', 'WordPress'],
  [97_000_203, 'nodejs-20-04', 'NodeJS on Ubuntu 24.04', 'Ubuntu', 1.6, '2024-07-22T12:00:00Z', 'NodeJS'],
  [97_000_202, 'lamp-20-04', 'LAMP on Ubuntu 22.04', 'Ubuntu', 1.92, '2023-03-02T12:00:00Z', 'LAMP'],
  [97_000_201, 'mysql-20-04', 'MySQL on Ubuntu 22.04', 'Ubuntu', 1.71, '2023-03-06T12:00:00Z', 'MySQL'],
];

/** What the old instance was made of: no longer listed, still shown by it. */
const RETIRED: Line = [6_918_990, null, '14.04.5 x64', 'Ubuntu', 0.44, '2016-08-09T17:33:04Z', ''];

export const distributions: readonly Image[] = DISTRIBUTIONS.map((line) => toImage(line, 'base', 'available'));
export const applications: readonly Image[] = APPLICATIONS.map((line) => toImage(line, 'snapshot', 'available'));
export const retiredImage: Image = toImage(RETIRED, 'base', 'retired');

const all = [...applications, ...distributions, retiredImage];
const byId = new Map(all.map((image) => [image.id, image]));
const bySlug = new Map(all.flatMap((image) => (image.slug === null ? [] : [[image.slug, image] as const])));
const texts = new Map(all.map((image) => [image.id, JSON.stringify(image)]));

/** A public image by id or slug. */
export function findPublicImage(reference: number | string): Image | undefined {
  return typeof reference === 'number' ? byId.get(reference) : bySlug.get(reference);
}

/** A public image as JSON text, for splicing into other records. */
export function publicImageText(id: number): string | undefined {
  return texts.get(id);
}

function toImage(
  [id, slug, name, distribution, size, created, description]: Line,
  type: 'base' | 'snapshot',
  status: 'available' | 'retired',
): Image {
  return {
    id,
    name,
    distribution,
    slug,
    public: true,
    regions: status === 'available' ? openRegions : [],
    created_at: created,
    type,
    min_disk_size: type === 'base' ? 7 : 25,
    size_gigabytes: size,
    description,
    tags: [],
    status,
    error_message: '',
  };
}
