/** What a node of a database cluster is made of: memory and disk in MiB, prices in US dollars for each node. */
export interface DatabaseSize {
  readonly slug: string;
  readonly vcpus: number;
  readonly memoryMib: number;
  /** The storage that comes with it, and how far it can be extended. */
  readonly storageMib: number;
  readonly maxStorageMib: number;
  readonly price_hourly: number;
  readonly price_monthly: number;
}

/** slug, vcpus, memory in GiB, storage in GiB, most storage in GiB, US dollars a month. Slugs from the example of operation databases_list_options. */
type Line = readonly [string, number, number, number, number, number];

const LINES: readonly Line[] = [
  ['db-s-1vcpu-1gb', 1, 1, 10, 40, 15.15],
  ['db-s-1vcpu-2gb', 1, 2, 30, 120, 30.3],
  ['db-s-2vcpu-2gb', 2, 2, 20, 120, 49],
  ['db-s-2vcpu-4gb', 2, 4, 60, 240, 60.6],
  ['db-s-4vcpu-8gb', 4, 8, 140, 560, 121.2],
  ['db-s-6vcpu-16gb', 6, 16, 290, 1160, 242.4],
  ['db-s-8vcpu-32gb', 8, 32, 580, 2320, 484.8],
  ['db-s-16vcpu-64gb', 16, 64, 1140, 4560, 969.6],
  ['gd-2vcpu-8gb', 2, 8, 30, 650, 124],
  ['gd-2vcpu-8gb-intel', 2, 8, 30, 650, 136],
  ['gd-4vcpu-16gb', 4, 16, 60, 1300, 248],
  ['gd-4vcpu-16gb-intel', 4, 16, 60, 1300, 272],
  ['gd-8vcpu-32gb', 8, 32, 140, 2600, 496],
  ['gd-16vcpu-64gb', 16, 64, 290, 5200, 992],
  ['so1_5-2vcpu-16gb', 2, 16, 400, 4000, 225],
  ['so1_5-2vcpu-16gb-intel', 2, 16, 400, 4000, 247],
  ['so1_5-4vcpu-32gb', 4, 32, 790, 7900, 450],
  ['so1_5-4vcpu-32gb-intel', 4, 32, 790, 7900, 494],
  ['m3-2vcpu-16gb', 2, 16, 150, 1500, 180],
  ['m3-4vcpu-32gb', 4, 32, 300, 3000, 360],
  ['m3-8vcpu-64gb', 8, 64, 600, 6000, 720],
];

const MIB_PER_GIB = 1024;
/** A month costs as much as so many hours. */
export const HOURS_PER_MONTH = 672;

const bySlug = new Map(
  LINES.map(([slug, vcpus, memoryGib, storageGib, maxStorageGib, monthly]): [string, DatabaseSize] => [
    slug,
    {
      slug,
      vcpus,
      memoryMib: memoryGib * MIB_PER_GIB,
      storageMib: storageGib * MIB_PER_GIB,
      maxStorageMib: maxStorageGib * MIB_PER_GIB,
      price_hourly: monthly / HOURS_PER_MONTH,
      price_monthly: monthly,
    },
  ]),
);

export function findDatabaseSize(slug: string): DatabaseSize | undefined {
  return bySlug.get(slug);
}
