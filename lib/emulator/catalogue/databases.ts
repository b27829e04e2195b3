import { openRegions, premiumRegions } from './region-slugs.ts';

export type EngineSlug = 'pg' | 'mysql' | 'redis' | 'valkey' | 'mongodb' | 'kafka' | 'opensearch' | 'advanced_pg' | 'advanced_mysql';

export interface EngineVersion {
  readonly version: string;
  /** What a cluster of this version really runs. */
  readonly semantic: string;
  readonly endOfLife: string;
  readonly endOfAvailability: string;
}

export interface Layout {
  readonly num_nodes: number;
  readonly sizes: readonly string[];
}

/** A database engine: where and how clusters of it can be made, and what they can do. Source: operation databases_list_options. */
export interface Engine {
  readonly slug: EngineSlug;
  readonly title: string;
  /** Oldest first. */
  readonly versions: readonly EngineVersion[];
  /** The version of a cluster that names none; without one, no new cluster can be made. */
  readonly defaultVersion: string | undefined;
  readonly regions: readonly string[];
  readonly layouts: readonly Layout[];
  readonly port: number;
  /** The user that every cluster has. */
  readonly admin: string;
  /** The databases of a new cluster; null where the engine has none. */
  readonly databases: readonly string[] | null;
  readonly hasUsers: boolean;
  readonly hasBackups: boolean;
  readonly canMigrate: boolean;
  readonly storageGrows: boolean;
}

const BASIC = ['db-s-1vcpu-2gb', 'db-s-2vcpu-4gb', 'db-s-4vcpu-8gb', 'db-s-6vcpu-16gb', 'db-s-8vcpu-32gb', 'db-s-16vcpu-64gb'] as const;
const SINGLE = ['db-s-1vcpu-1gb', ...BASIC] as const;
const GENERAL = ['gd-2vcpu-8gb', 'gd-4vcpu-16gb', 'gd-8vcpu-32gb', 'gd-16vcpu-64gb'] as const;
const STORAGE = ['so1_5-2vcpu-16gb', 'so1_5-4vcpu-32gb'] as const;
const MEMORY = ['m3-2vcpu-16gb', 'm3-4vcpu-32gb', 'm3-8vcpu-64gb'] as const;
const ADVANCED = [
  'gd-2vcpu-8gb-intel',
  'so1_5-2vcpu-16gb-intel',
  'so1_5-2vcpu-16gb',
  'gd-2vcpu-8gb',
  'gd-4vcpu-16gb-intel',
  'so1_5-4vcpu-32gb-intel',
] as const;

const RELATIONAL: readonly Layout[] = [
  { num_nodes: 1, sizes: [...SINGLE, ...GENERAL, ...STORAGE] },
  { num_nodes: 2, sizes: [...BASIC, ...GENERAL, ...STORAGE] },
  { num_nodes: 3, sizes: [...BASIC, ...GENERAL, ...STORAGE] },
];
const CACHING: readonly Layout[] = [
  { num_nodes: 1, sizes: SINGLE },
  { num_nodes: 2, sizes: BASIC },
  { num_nodes: 3, sizes: BASIC },
];

const usual = {
  regions: openRegions,
  port: 25060,
  admin: 'doadmin',
  databases: ['defaultdb'],
  hasUsers: true,
  hasBackups: true,
  canMigrate: false,
  storageGrows: true,
} as const;

/** The engines, in the order of the options document; their versions and dates from its example and the engines' own calendars. */
export const engines: readonly Engine[] = [
  {
    ...usual,
    slug: 'kafka',
    title: 'Kafka',
    versions: [version('3.8', '3.8.1', '2026-12-03', '2026-06-03')],
    defaultVersion: '3.8',
    layouts: [
      { num_nodes: 3, sizes: ['gd-2vcpu-8gb', 'gd-4vcpu-16gb', 'db-s-2vcpu-4gb', 'db-s-2vcpu-2gb'] },
      ...[6, 9, 15].map((nodes): Layout => ({ num_nodes: nodes, sizes: ['gd-2vcpu-8gb', 'gd-4vcpu-16gb'] })),
    ],
    port: 25073,
    databases: null,
    hasBackups: false,
  },
  {
    ...usual,
    slug: 'mongodb',
    title: 'MongoDB',
    versions: [version('6.0', '6.0.24', '2025-07-01', '2025-04-01'), version('7.0', '7.0.21', '2026-08-01', '2026-05-01')],
    defaultVersion: '7.0',
    layouts: [1, 3].map((nodes): Layout => ({ num_nodes: nodes, sizes: [...SINGLE, ...GENERAL] })),
    databases: ['admin'],
  },
  {
    ...usual,
    slug: 'mysql',
    title: 'MySQL',
    versions: [version('8', '8.0.42', '2032-04-30', '2031-04-30')],
    defaultVersion: '8',
    layouts: RELATIONAL,
    canMigrate: true,
  },
  {
    ...usual,
    slug: 'advanced_mysql',
    title: 'MySQL Advanced Edition',
    versions: [version('8.4.8', '8.4.8', '2032-04-30', '2031-04-30')],
    defaultVersion: '8.4.8',
    regions: premiumRegions,
    layouts: [1, 3].map((nodes): Layout => ({ num_nodes: nodes, sizes: ADVANCED })),
  },
  {
    ...usual,
    slug: 'opensearch',
    title: 'OpenSearch',
    versions: [version('1', '1.3.20', '2026-12-31', '2026-06-30'), version('2', '2.19.2', '2028-12-31', '2028-06-30')],
    defaultVersion: '2',
    layouts: [
      { num_nodes: 1, sizes: ['db-s-1vcpu-2gb', 'db-s-2vcpu-4gb', 'gd-2vcpu-8gb', 'm3-2vcpu-16gb', 'db-s-4vcpu-8gb', 'gd-4vcpu-16gb'] },
      { num_nodes: 3, sizes: ['db-s-2vcpu-4gb', 'gd-2vcpu-8gb', 'm3-2vcpu-16gb', 'db-s-4vcpu-8gb', 'gd-4vcpu-16gb', 'm3-4vcpu-32gb'] },
      ...[6, 9, 15].map((nodes): Layout => ({ num_nodes: nodes, sizes: ['gd-2vcpu-8gb', 'gd-4vcpu-16gb', ...MEMORY] })),
    ],
    databases: null,
  },
  {
    ...usual,
    slug: 'pg',
    title: 'PostgreSQL',
    versions: [
      version('13', '13.21', '2025-11-13', '2025-05-13'),
      version('14', '14.18', '2026-11-12', '2026-05-12'),
      version('15', '15.13', '2027-11-11', '2027-05-11'),
      version('16', '16.9', '2028-11-09', '2028-05-09'),
      version('17', '17.5', '2029-11-08', '2029-05-08'),
    ],
    defaultVersion: '17',
    layouts: RELATIONAL,
    canMigrate: true,
  },
  {
    ...usual,
    slug: 'advanced_pg',
    title: 'PostgreSQL Advanced Edition',
    versions: [
      version('16', '16.9', '2028-11-09', '2028-05-09'),
      version('17', '17.5', '2029-11-08', '2029-05-08'),
      version('18', '18.0', '2030-11-14', '2030-05-14'),
    ],
    defaultVersion: '18',
    regions: premiumRegions,
    layouts: [1, 2, 3].map((nodes): Layout => ({ num_nodes: nodes, sizes: ADVANCED })),
  },
  {
    ...usual,
    slug: 'redis',
    title: 'Caching',
    versions: [version('7', '7.2.4', '2025-06-30', '2025-04-30')],
    defaultVersion: undefined,
    layouts: CACHING,
    port: 25061,
    admin: 'default',
    databases: null,
    hasUsers: false,
    hasBackups: false,
    canMigrate: true,
    storageGrows: false,
  },
  {
    ...usual,
    slug: 'valkey',
    title: 'Valkey',
    versions: [version('8', '8.1.1', '2029-09-30', '2029-03-31')],
    defaultVersion: '8',
    layouts: CACHING,
    port: 25061,
    admin: 'default',
    databases: null,
    hasUsers: false,
    hasBackups: false,
    canMigrate: true,
    storageGrows: false,
  },
];

const bySlug = new Map<string, Engine>(engines.map((engine) => [engine.slug, engine]));

export function findEngine(slug: string): Engine | undefined {
  return bySlug.get(slug);
}

/** The reply of operation databases_list_options. */
export const databaseOptions: string = JSON.stringify({
  options: Object.fromEntries(
    engines.map(({ slug, regions, versions, layouts, defaultVersion }) => [
      slug,
      { regions, versions: versions.map((each) => each.version), layouts, default_version: defaultVersion },
    ]),
  ),
  version_availability: Object.fromEntries(
    engines.map(({ slug, versions, defaultVersion = versions.at(-1)?.version }) => [
      slug,
      versions.map(({ version: name, endOfLife, endOfAvailability }) => ({
        end_of_life: endOfLife,
        end_of_availability: endOfAvailability,
        version: name,
        default: name === defaultVersion,
      })),
    ]),
  ),
});

function version(name: string, semantic: string, endOfLife: string, endOfAvailability: string): EngineVersion {
  return { version: name, semantic, endOfLife: `${endOfLife}T00:00:00Z`, endOfAvailability: `${endOfAvailability}T00:00:00Z` };
}
