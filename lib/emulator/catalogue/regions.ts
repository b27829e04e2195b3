import { sizes } from './sizes.ts';

/** A data centre. Source: the OpenAPI document, component `region`. */
export interface Region {
  readonly name: string;
  readonly slug: string;
  readonly features: readonly string[];
  readonly available: boolean;
  readonly sizes: readonly string[];
}

const ALL_FEATURES = ['private_networking', 'backups', 'ipv6', 'metadata', 'install_agent', 'storage', 'image_transfer'];
const OLD_FEATURES = ['private_networking', 'backups', 'ipv6', 'metadata', 'install_agent', 'image_transfer'];

/** sfo1 is closed: nothing new can be made there. */
export const regions: readonly Region[] = [
  region('New York 1', 'nyc1', ALL_FEATURES),
  region('New York 2', 'nyc2', ALL_FEATURES),
  region('New York 3', 'nyc3', ALL_FEATURES),
  region('San Francisco 1', 'sfo1', OLD_FEATURES, false),
  region('San Francisco 2', 'sfo2', ALL_FEATURES),
  region('San Francisco 3', 'sfo3', ALL_FEATURES),
  region('Amsterdam 3', 'ams3', ALL_FEATURES),
  region('Singapore 1', 'sgp1', ALL_FEATURES),
  region('London 1', 'lon1', ALL_FEATURES),
  region('Frankfurt 1', 'fra1', ALL_FEATURES),
  region('Toronto 1', 'tor1', ALL_FEATURES),
  region('Bangalore 1', 'blr1', ALL_FEATURES),
  region('Sydney 1', 'syd1', ALL_FEATURES),
];

const bySlug = new Map(regions.map((each) => [each.slug, each]));
const texts = new Map(regions.map((each) => [each.slug, JSON.stringify(each)]));

export function findRegion(slug: string): Region | undefined {
  return bySlug.get(slug);
}

/** The region as JSON text, for splicing into other records; `null` for none. */
export function regionText(slug: string): string {
  return texts.get(slug) ?? 'null';
}

function region(name: string, slug: string, features: readonly string[], available = true): Region {
  const offered = available ? sizes.filter((size) => size.regions.includes(slug)).map((size) => size.slug) : [];
  return { name, slug, features, available, sizes: offered };
}
