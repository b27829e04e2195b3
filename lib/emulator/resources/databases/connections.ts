import { randomBytes } from 'node:crypto';
import type { Engine } from '../../catalogue/databases.ts';
import type { Account } from '../../store/account.ts';

/** How to reach a service. Source: the OpenAPI document, component `database_connection`. */
export interface Connection {
  readonly uri: string;
  readonly database?: string;
  readonly host: string;
  readonly port: number;
  readonly user: string;
  readonly password: string;
  readonly ssl: boolean;
}

/** Every way to reach a cluster; the standby ones only where there are standby nodes. */
export interface Connections {
  readonly connection: Connection;
  readonly private_connection: Connection;
  readonly standby_connection?: Connection;
  readonly standby_private_connection?: Connection;
  readonly ui_connection?: Connection;
  readonly schema_registry_connection?: Connection;
  readonly metrics_endpoints: readonly { readonly host: string; readonly port: number }[];
}

/** What the connections of a cluster follow from. */
export interface Reach {
  readonly engine: Engine;
  readonly nodes: number;
  /** The part of its host names that stays: `orders-do-user-19081923-0.c.db.ondigitalocean.com`. */
  readonly host: string;
  readonly password: string;
  /** Whether there is a schema registry; only Kafka can have one. */
  readonly registry: boolean;
}

const METRICS_PORT = 9273;
const DASHBOARD_PORT = 443;
const REGISTRY_PORT = 25065;

/** The connections of a cluster; absent ones are undefined, so that they replace what was there. */
export function connectionsOf(reach: Reach): Connections {
  const { host, nodes, engine, registry } = reach;
  const hasStandby = nodes > 1 && STANDBY_ENGINES.has(engine.slug);
  const replica = `replica-${host}`;
  return {
    connection: connect(reach, host),
    private_connection: connect(reach, `private-${host}`),
    standby_connection: hasStandby ? connect(reach, replica) : undefined,
    standby_private_connection: hasStandby ? connect(reach, `private-${replica}`) : undefined,
    ui_connection: engine.slug === 'opensearch' ? webService(reach, DASHBOARD_PORT) : undefined,
    schema_registry_connection: registry ? webService(reach, REGISTRY_PORT) : undefined,
    metrics_endpoints: (hasStandby ? [host, replica] : [host]).map((each) => ({ host: each, port: METRICS_PORT })),
  };
}

/** The host name of a new cluster. The number in it is the account's. */
export function newHost(account: Account, name: string): string {
  const owner = account.setting(OWNER) ?? String(FIRST_OWNER + (randomBytes(4).readUInt32BE() % FIRST_OWNER));
  account.set(OWNER, owner);
  const zone = 'abcdefghijklm'[randomBytes(1).readUInt8() % 13];
  return `${name}-do-user-${owner}-0.${zone}.db.ondigitalocean.com`;
}

export function newPassword(): string {
  return `AVNS_${randomBytes(14).toString('base64url')}`;
}

const OWNER = 'database.owner';
const FIRST_OWNER = 10_000_000;

/** The engines whose further nodes wait behind a primary one; the nodes of the others are all alike. */
const STANDBY_ENGINES: ReadonlySet<string> = new Set(['pg', 'mysql', 'advanced_pg', 'advanced_mysql', 'redis', 'valkey']);

function connect(reach: Reach, host: string): Connection {
  const { engine, password } = reach;
  const database = engine.databases?.[0] ?? '';
  return { uri: uriOf(reach, host, database), database, host, port: engine.port, user: engine.admin, password, ssl: true };
}

function uriOf({ engine, password }: Reach, host: string, database: string): string {
  const login = `${engine.admin}:${password}@`;
  const at = `${host}:${engine.port}`;
  switch (engine.slug) {
    case 'pg':
    case 'advanced_pg':
      return `postgresql://${login}${at}/${database}?sslmode=require`;
    case 'mysql':
    case 'advanced_mysql':
      return `mysql://${login}${at}/${database}?ssl-mode=REQUIRED`;
    case 'mongodb':
      return `mongodb+srv://${login}${host}/${database}?tls=true&authSource=admin`;
    case 'redis':
    case 'valkey':
      return `rediss://${login}${at}`;
    case 'kafka':
      return at;
    case 'opensearch':
      return `https://${login}${at}`;
  }
}

function webService({ engine, password, host }: Reach, port: number): Connection {
  return { uri: `https://${engine.admin}:${password}@${host}:${port}`, host, port, user: engine.admin, password, ssl: true };
}
