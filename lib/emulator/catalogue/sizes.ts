import { openRegions, premiumRegions, specialRegions } from './region-slugs.ts';

/** What an instance can be made of: memory in MiB, disk in GiB, transfer in TiB, prices in US dollars. Source: the OpenAPI document, component `size`. */
export interface Size {
  readonly slug: string;
  readonly memory: number;
  readonly vcpus: number;
  readonly disk: number;
  readonly transfer: number;
  readonly price_monthly: number;
  readonly price_hourly: number;
  readonly regions: readonly string[];
  readonly available: boolean;
  readonly description: string;
  readonly disk_info: readonly DiskInfo[];
}

export interface DiskInfo {
  readonly type: 'local';
  readonly size: { readonly amount: number; readonly unit: 'gib' };
}

/** slug, memory, vcpus, disk, transfer, monthly, hourly, description, regions */
type Line = readonly [string, number, number, number, number, number, number, string, readonly string[]];

const LINES: readonly Line[] = [
  ['s-1vcpu-512mb-10gb', 512, 1, 10, 0.5, 4, 0.00595, 'Basic', premiumRegions],
  ['s-1vcpu-1gb', 1024, 1, 25, 1, 6, 0.00893, 'Basic', openRegions],
  ['s-1vcpu-1gb-amd', 1024, 1, 25, 1, 7, 0.01042, 'Premium AMD', premiumRegions],
  ['s-1vcpu-1gb-intel', 1024, 1, 25, 1, 7, 0.01042, 'Premium Intel', premiumRegions],
  ['s-1vcpu-2gb', 2048, 1, 50, 2, 12, 0.01786, 'Basic', openRegions],
  ['s-1vcpu-2gb-amd', 2048, 1, 50, 2, 14, 0.02083, 'Premium AMD', premiumRegions],
  ['s-1vcpu-2gb-intel', 2048, 1, 50, 2, 14, 0.02083, 'Premium Intel', premiumRegions],
  ['s-2vcpu-2gb', 2048, 2, 60, 3, 18, 0.02679, 'Basic', openRegions],
  ['s-2vcpu-2gb-amd', 2048, 2, 60, 3, 21, 0.03125, 'Premium AMD', premiumRegions],
  ['s-2vcpu-2gb-intel', 2048, 2, 60, 3, 21, 0.03125, 'Premium Intel', premiumRegions],
  ['s-2vcpu-4gb', 4096, 2, 80, 4, 24, 0.03571, 'Basic', openRegions],
  ['s-2vcpu-4gb-amd', 4096, 2, 80, 4, 28, 0.04167, 'Premium AMD', premiumRegions],
  ['s-2vcpu-4gb-intel', 4096, 2, 80, 4, 28, 0.04167, 'Premium Intel', premiumRegions],
  ['s-4vcpu-8gb', 8192, 4, 160, 5, 48, 0.07143, 'Basic', openRegions],
  ['s-4vcpu-8gb-amd', 8192, 4, 160, 5, 56, 0.08333, 'Premium AMD', premiumRegions],
  ['s-4vcpu-8gb-intel', 8192, 4, 160, 5, 56, 0.08333, 'Premium Intel', premiumRegions],
  ['s-8vcpu-16gb', 16384, 8, 320, 6, 96, 0.14286, 'Basic', openRegions],
  ['s-8vcpu-16gb-amd', 16384, 8, 320, 6, 112, 0.16667, 'Premium AMD', premiumRegions],
  ['s-8vcpu-16gb-intel', 16384, 8, 320, 6, 112, 0.16667, 'Premium Intel', premiumRegions],
  ['c-2', 4096, 2, 25, 4, 42, 0.0625, 'CPU-Optimized', openRegions],
  ['c-4', 8192, 4, 50, 5, 84, 0.125, 'CPU-Optimized', openRegions],
  ['c-8', 16384, 8, 100, 6, 168, 0.25, 'CPU-Optimized', openRegions],
  ['c-16', 32768, 16, 200, 7, 336, 0.5, 'CPU-Optimized', premiumRegions],
  ['g-2vcpu-8gb', 8192, 2, 25, 4, 63, 0.09375, 'General Purpose', premiumRegions],
  ['g-4vcpu-16gb', 16384, 4, 50, 5, 126, 0.1875, 'General Purpose', premiumRegions],
  ['g-8vcpu-32gb', 32768, 8, 100, 6, 252, 0.375, 'General Purpose', premiumRegions],
  ['gd-2vcpu-8gb', 8192, 2, 50, 4, 68, 0.10119, 'General Purpose - 2x SSD', specialRegions],
  ['m-2vcpu-16gb', 16384, 2, 50, 4, 84, 0.125, 'Memory-Optimized', specialRegions],
  ['m-4vcpu-32gb', 32768, 4, 100, 6, 168, 0.25, 'Memory-Optimized', specialRegions],
  ['m-8vcpu-64gb', 65536, 8, 200, 7, 336, 0.5, 'Memory-Optimized', specialRegions],
  ['so-2vcpu-16gb', 16384, 2, 300, 4, 131, 0.19494, 'Storage-Optimized', specialRegions],
  ['so1_5-2vcpu-16gb', 16384, 2, 450, 4, 163, 0.24256, 'Storage-Optimized - 1.5x SSD', specialRegions],
  ['512mb', 512, 1, 20, 1, 5, 0.00744, 'Legacy Basic', []],
];

/** Every size; one without regions is history that an old instance may still have. */
export const sizes: readonly Size[] = LINES.map(
  ([slug, memory, vcpus, disk, transfer, price_monthly, price_hourly, description, regions]) => ({
    slug,
    memory,
    vcpus,
    disk,
    transfer,
    price_monthly,
    price_hourly,
    regions,
    available: regions.length > 0,
    description,
    disk_info: diskInfo(disk),
  }),
);

const bySlug = new Map(sizes.map((each) => [each.slug, each]));
const texts = new Map(sizes.map((each) => [each.slug, JSON.stringify(each)]));

export function findSize(slug: string): Size | undefined {
  return bySlug.get(slug);
}

/** The size as JSON text, for splicing into other records; `null` for none. */
export function sizeText(slug: string): string {
  return texts.get(slug) ?? 'null';
}

export function diskInfo(diskGib: number): readonly DiskInfo[] {
  return [{ type: 'local', size: { amount: diskGib, unit: 'gib' } }];
}
