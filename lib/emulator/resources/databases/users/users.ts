import type { Account } from '../../../store/account.ts';
import { collection, type Source } from '../../../store/collection.ts';

/** A user of a cluster. Source: the OpenAPI document, component `database_user`. */
export interface User {
  readonly name: string;
  readonly role: 'primary' | 'normal';
  readonly password: string;
  readonly access_cert?: string;
  readonly access_key?: string;
  readonly mysql_settings?: { readonly auth_plugin: string };
  readonly settings?: UserSettings;
}

export interface UserSettings {
  readonly pg_allow_replication?: boolean;
  readonly acl?: readonly { readonly id: string; readonly topic: string; readonly permission: string }[];
  readonly opensearch_acl?: readonly { readonly index: string; readonly permission: string }[];
  readonly mongo_user_settings?: { readonly databases: readonly string[]; readonly role: string };
}

interface UserHidden {
  readonly cluster: string;
}

export const users = collection<User, UserHidden>({
  table: 'database_users',
  key: 'text',
  id: (user, { cluster }) => userId(cluster, user.name),
  columns: { cluster: { of: (_user, { cluster }) => cluster, index: 'counted' } },
});

/** Under which id a user is stored: no cluster id has a slash. */
export function userId(cluster: string, name: string): string {
  return `${cluster}/${name}`;
}

const OF_CLUSTER = 'FROM database_users WHERE cluster = ? ORDER BY seq';

/** The users of a cluster, its own first, then in the order of their creation. */
export function userSource(account: Account, cluster: string): Source {
  return users.sourceOf(account, users.sourceWhere(account, 'cluster', cluster).total, `SELECT id ${OF_CLUSTER}`, cluster);
}

/** The same as a JSON array, for splicing into the cluster. */
export function usersText(account: Account, cluster: string): string {
  const rows = account.sql(`SELECT doc ${OF_CLUSTER}`).all(cluster);
  return `[${rows.map((row) => String(row.doc)).join(',')}]`;
}

export function removeUsers(account: Account, cluster: string): void {
  for (const { wire } of users.where(account, 'cluster', cluster)) {
    users.remove(account, userId(cluster, wire.name));
  }
}
