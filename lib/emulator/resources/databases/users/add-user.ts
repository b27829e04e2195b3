import { databaseMessages } from '../../../assumptions.ts';
import type { Engine } from '../../../catalogue/databases.ts';
import { unprocessable } from '../../../errors.ts';
import { choice, flag, type JsonObject, onlyFields, optionalObject, requiredText } from '../../../fields.ts';
import type { Account } from '../../../store/account.ts';
import { clientCertificate } from '../ca/authority.ts';
import { newPassword } from '../connections.ts';
import { readUserSettings } from './user-settings.ts';
import { type User, type UserSettings, userId, users } from './users.ts';

const AUTH_PLUGINS = ['caching_sha2_password', 'mysql_native_password'] as const;
const FIELDS = ['name', 'role', 'password', 'access_cert', 'access_key', 'mysql_settings', 'settings', 'readonly'];

/** Gives a new cluster the user it belongs to. */
export function addAdmin(account: Account, cluster: string, engine: Engine, password: string): void {
  const user: User = {
    name: engine.admin,
    role: 'primary',
    password,
    ...ADMIN_SETTINGS[engine.slug],
    ...credentials(account, cluster, engine, engine.admin),
  };
  users.insert(account, user, { cluster });
}

const ADMIN_SETTINGS: Partial<Record<Engine['slug'], Pick<User, 'settings' | 'mysql_settings'>>> = {
  pg: { settings: { pg_allow_replication: true } },
  advanced_pg: { settings: { pg_allow_replication: true } },
  mysql: { mysql_settings: { auth_plugin: AUTH_PLUGINS[0] } },
  advanced_mysql: { mysql_settings: { auth_plugin: AUTH_PLUGINS[0] } },
  kafka: { settings: { acl: [{ id: 'default', topic: '*', permission: 'admin' }] } },
  opensearch: { settings: { opensearch_acl: [{ index: '*', permission: 'admin' }] } },
  mongodb: { settings: { mongo_user_settings: { databases: ['admin'], role: 'dbAdmin' } } },
};

/** Adds the user that a request asks for. Errors: 422. Source: operation databases_add_user. */
export function addUser(account: Account, cluster: string, engine: Engine, body: JsonObject): User {
  onlyFields(body, FIELDS);
  const name = requiredText(body, 'name');
  if (!/^[A-Za-z0-9_][A-Za-z0-9_.-]{0,62}$/.test(name)) {
    throw unprocessable(databaseMessages.userName);
  }
  if (users.get(account, userId(cluster, name)) !== undefined) {
    throw unprocessable(databaseMessages.userTaken);
  }
  const mysql = readMysqlSettings(engine, optionalObject(body, 'mysql_settings'));
  const settings = readUserSettings(engine.slug, optionalObject(body, 'settings') ?? {}, wishesOf(engine, body));
  const user: User = {
    name,
    role: 'normal',
    password: newPassword(),
    ...(mysql && { mysql_settings: mysql }),
    ...(settings && { settings }),
    ...credentials(account, cluster, engine, name),
  };
  users.insert(account, user, { cluster });
  return user;
}

/** Users of Kafka show who they are by a certificate. */
function credentials(account: Account, cluster: string, { slug }: Engine, name: string): Pick<User, 'access_cert' | 'access_key'> {
  if (slug !== 'kafka') {
    return {};
  }
  const { certificate, key } = clientCertificate(account, cluster, name);
  return { access_cert: certificate, access_key: key };
}

function readMysqlSettings({ slug }: Engine, given: JsonObject | undefined): User['mysql_settings'] {
  const isMysql = slug === 'mysql' || slug === 'advanced_mysql';
  if (given === undefined) {
    return isMysql ? { auth_plugin: AUTH_PLUGINS[0] } : undefined;
  }
  if (!isMysql) {
    throw unprocessable('mysql_settings is not a setting of this engine.');
  }
  onlyFields(given, ['auth_plugin'], 'mysql_settings.');
  return { auth_plugin: choice(given, 'auth_plugin', AUTH_PLUGINS) };
}

/** `readonly` is the older way to say which role a user of MongoDB has. */
function wishesOf({ slug }: Engine, body: JsonObject): UserSettings {
  const readOnly = flag(body, 'readonly');
  if (readOnly && slug !== 'mongodb') {
    throw unprocessable('readonly is not a setting of this engine.');
  }
  return readOnly ? { mongo_user_settings: { databases: ['admin'], role: 'readOnly' } } : {};
}
