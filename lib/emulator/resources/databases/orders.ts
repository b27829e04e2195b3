import { databaseMessages } from '../../assumptions.ts';
import { type DatabaseSize, findDatabaseSize } from '../../catalogue/database-sizes.ts';
import { type Engine, type EngineVersion, findEngine } from '../../catalogue/databases.ts';
import { unprocessable } from '../../errors.ts';
import {
  integerFrom,
  type JsonObject,
  objects,
  onlyFields,
  optionalObject,
  optionalText,
  requiredInteger,
  requiredText,
  texts,
} from '../../fields.ts';
import type { Account } from '../../store/account.ts';
import { chosenProject } from '../projects.ts';
import { defaultVpc, type Vpc, vpcs } from '../vpcs.ts';
import { type Restore, restoreOf } from './backups.ts';
import { clusterNamed } from './clusters.ts';
import { type NewRule, parseRules } from './firewall.ts';

/** What a new cluster is made of, checked. */
export interface Order {
  readonly name: string;
  readonly engine: Engine;
  readonly version: EngineVersion;
  readonly region: string;
  readonly size: DatabaseSize;
  readonly nodes: number;
  readonly storageMib: number;
  readonly vpc: Vpc;
  readonly tags: readonly string[];
  readonly serviceNames: readonly string[];
  readonly projectId: string;
  readonly rules: readonly NewRule[];
  readonly restore: Restore | undefined;
}

/** What a request may say; what only replies have is taken and has no effect. Source: component `database_cluster`. */
const FIELDS = [
  ...[
    'name',
    'engine',
    'version',
    'region',
    'size',
    'num_nodes',
    'storage_size_mib',
    'tags',
    'private_network_uuid',
    'project_id',
    'rules',
  ],
  ...['backup_restore', 'autoscale', 'do_settings', 'id', 'semantic_version', 'status', 'created_at', 'db_names', 'ui_connection'],
  ...['schema_registry_connection', 'connection', 'private_connection', 'standby_connection', 'standby_private_connection', 'users'],
  ...['maintenance_window', 'version_end_of_life', 'version_end_of_availability', 'metrics_endpoints'],
];

/** Reads a request to create a cluster. Errors: 422 for whatever the options do not offer. Source: operation databases_create_cluster. */
export function parseOrder(account: Account, body: JsonObject): Order {
  onlyFields(body, FIELDS);
  const name = parseName(account, requiredText(body, 'name'));
  const engine = parseEngine(requiredText(body, 'engine'));
  const version = parseVersion(engine, optionalText(body, 'version') ?? engine.defaultVersion);
  const region = requiredText(body, 'region');
  if (!engine.regions.includes(region)) {
    throw unprocessable(databaseMessages.region);
  }
  const nodes = requiredInteger(body, 'num_nodes');
  const size = parseSize(engine, requiredText(body, 'size'), nodes);
  checkAutoscale(optionalObject(body, 'autoscale'));
  return {
    name,
    engine,
    version,
    region,
    size,
    nodes,
    storageMib: parseStorage(engine, size, body) ?? size.storageMib,
    tags: texts(body, 'tags'),
    serviceNames: parseServiceNames(optionalObject(body, 'do_settings')),
    projectId: chosenProject(account, optionalText(body, 'project_id')),
    rules: parseRules(account, objects(body, 'rules')),
    restore: restoreOf(account, engine, optionalObject(body, 'backup_restore')),
    vpc: parseVpc(account, optionalText(body, 'private_network_uuid') ?? '', region),
  };
}

/** The size that a cluster of so many nodes may have. Errors: 422. */
export function parseSize({ layouts }: Engine, slug: string, nodes: number): DatabaseSize {
  const layout = layouts.find((each) => each.num_nodes === nodes);
  if (layout === undefined) {
    throw unprocessable('invalid node count');
  }
  const size = layout.sizes.includes(slug) ? findDatabaseSize(slug) : undefined;
  if (size === undefined) {
    throw unprocessable(databaseMessages.size);
  }
  return size;
}

/** The storage that is asked for, in MiB. Errors: 422 where the engine has no say in it and beyond what the size allows. */
export function parseStorage(engine: Engine, size: DatabaseSize, body: JsonObject): number | undefined {
  if ((body.storage_size_mib ?? undefined) === undefined) {
    return undefined;
  }
  if (!engine.storageGrows) {
    throw unprocessable(databaseMessages.storageFixed);
  }
  return integerFrom(body, 'storage_size_mib', size.storageMib, size.maxStorageMib);
}

function parseName(account: Account, name: string): string {
  if (!/^[a-z0-9][a-z0-9-]{1,61}[a-z0-9]$/.test(name)) {
    throw unprocessable(databaseMessages.nameForm);
  }
  if (clusterNamed(account, name) !== undefined) {
    throw unprocessable(databaseMessages.nameTaken);
  }
  return name;
}

function parseEngine(slug: string): Engine {
  const engine = findEngine(slug);
  if (engine === undefined) {
    throw unprocessable(databaseMessages.engine);
  }
  if (engine.defaultVersion === undefined) {
    throw unprocessable(databaseMessages.notCreatable);
  }
  return engine;
}

function parseVersion(engine: Engine, name: string | undefined): EngineVersion {
  const version = engine.versions.find((each) => each.version === name);
  if (version === undefined) {
    throw unprocessable(databaseMessages.version);
  }
  return version;
}

/** Source: components `database_autoscale_params` and `database_storage_autoscale_params`. */
function checkAutoscale(autoscale: JsonObject = {}): void {
  onlyFields(autoscale, ['storage'], 'autoscale.');
  const storage = optionalObject(autoscale, 'storage');
  if (storage !== undefined) {
    onlyFields(storage, ['enabled', 'threshold_percent', 'increment_gib'], 'autoscale.storage.');
    if (typeof storage.enabled !== 'boolean') {
      throw unprocessable('autoscale.storage.enabled must be true or false.');
    }
    integerFrom(storage, 'threshold_percent', 15, 95, 80);
    integerFrom(storage, 'increment_gib', 10, 500, 10);
  }
}

const HOST_NAME = /^[a-zA-Z0-9]([a-zA-Z0-9-]*[a-zA-Z0-9])?(\.[a-zA-Z0-9]([a-zA-Z0-9-]*[a-zA-Z0-9])?)+$/;
const MAX_SERVICE_NAMES = 16;

function parseServiceNames(settings: JsonObject = {}): readonly string[] {
  onlyFields(settings, ['service_cnames'], 'do_settings.');
  const names = texts(settings, 'service_cnames');
  if (names.length > MAX_SERVICE_NAMES || names.some((name) => name.length > 253 || !HOST_NAME.test(name))) {
    throw unprocessable(`do_settings.service_cnames must be at most ${MAX_SERVICE_NAMES} host names.`);
  }
  return names;
}

/** No id, also an empty one, stands for the default VPC of the region. */
function parseVpc(account: Account, id: string, region: string): Vpc {
  if (id === '') {
    return defaultVpc(account, region);
  }
  const vpc = vpcs.get(account, id)?.wire;
  if (vpc?.region !== region) {
    throw unprocessable(databaseMessages.vpc);
  }
  return vpc;
}
