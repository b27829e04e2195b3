import { z } from 'zod';
import { revealSecrets } from '../../catalogue/fields.ts';
import { path } from '../../catalogue/path.ts';
import { tool } from '../../catalogue/tool.ts';
import { clusterId, databaseSecrets, optionalPaging, pageQuery, pageText } from './fields.ts';
import { clusterRecovery, listUsers, showUser, userRecovery } from './recovery.ts';

const user = () => z.string();

/** What a user may do; each engine knows one of the three. */
const userSettings = () =>
  z.strictObject({
    acl: z
      .array(
        z.strictObject({
          id: z.string().optional(),
          permission: z.string().optional().describe('admin, consume, produce or produceconsume'),
          topic: z.string().optional().describe('Name or pattern'),
        }),
      )
      .optional()
      .describe('For kafka'),
    opensearch_acl: z
      .array(
        z.strictObject({
          index: z.string().optional().describe('Name or pattern'),
          permission: z.string().optional().describe('deny, admin, read, readwrite or write'),
        }),
      )
      .optional(),
    mongo_user_settings: z
      .strictObject({
        databases: z.array(z.string()).optional(),
        role: z.string().optional().describe('readOnly, readWrite or dbAdmin'),
      })
      .optional(),
  });

export const userTools = [
  tool({
    name: 'db-cluster-get-user',
    title: 'Get a database user',
    description: 'One user of a cluster: role and settings. The password only with RevealSecrets.',
    input: () => z.object({ id: clusterId(), user: user(), RevealSecrets: revealSecrets() }),
    secrets: databaseSecrets,
    route: 'GET /v2/databases/{id}/users/{user}',
    returns: 'user',
    recover: userRecovery,
  }),
  tool({
    name: 'db-cluster-list-users',
    title: 'List database users',
    description: 'The users of a cluster with their roles.',
    input: () => z.object({ id: clusterId(), ...optionalPaging(), RevealSecrets: revealSecrets() }),
    texts: pageText,
    secrets: databaseSecrets,
    route: 'GET /v2/databases/{id}/users',
    query: pageQuery,
    returns: 'users',
    summary: ['name', 'role', 'mysql_settings.auth_plugin'],
    recover: clusterRecovery,
  }),
  tool({
    name: 'db-cluster-create-user',
    title: 'Create a database user',
    description:
      'Creates a user with a generated password, shown only with RevealSecrets, also later by db-cluster-get-user. Redis and valkey have no users.',
    input: () =>
      z.object({
        id: clusterId(),
        name: user(),
        mysql_auth_plugin: z.enum(['mysql_native_password', 'caching_sha2_password']).optional().describe('For mysql'),
        settings: userSettings().optional(),
        RevealSecrets: revealSecrets(),
      }),
    secrets: databaseSecrets,
    route: 'POST /v2/databases/{id}/users',
    body: ({ name, mysql_auth_plugin, settings }) => ({
      name,
      mysql_settings: mysql_auth_plugin === undefined ? undefined : { auth_plugin: mysql_auth_plugin },
      settings,
    }),
    returns: 'user',
    verify: ({ id, name }) => showUser({ id, user: name }),
    recover: [{ when: /exist|taken|unique/i, next: ({ id, name }) => [showUser({ id, user: name })] }, ...clusterRecovery],
  }),
  tool({
    name: 'db-cluster-update-user',
    title: 'Change what a database user may do',
    description:
      'Replaces the settings of a user of a kafka, opensearch or mongodb cluster. Without settings nothing changes and the user is returned.',
    input: () => z.object({ id: clusterId(), user: user(), settings: userSettings().optional(), RevealSecrets: revealSecrets() }),
    secrets: databaseSecrets,
    calls: ['GET /v2/databases/{id}/users/{user}', 'PUT /v2/databases/{id}/users/{user}'],
    run({ id, user, settings }, platform) {
      const place = path`/v2/databases/${id}/users/${user}`;
      if (settings === undefined) return platform.request({ method: 'GET', path: place });
      return platform.request({ method: 'PUT', path: place, body: { settings } });
    },
    hints: { readOnly: false, destructive: false, idempotent: true },
    returns: 'user',
    verify: showUser,
    recover: userRecovery,
  }),
  tool({
    name: 'db-cluster-delete-user',
    title: 'Delete a database user',
    description: 'Deletes a user of a cluster; what it made stays. The first user, doadmin, cannot be deleted.',
    input: () => z.object({ id: clusterId(), user: user() }),
    route: 'DELETE /v2/databases/{id}/users/{user}',
    verify: listUsers,
    recover: userRecovery,
  }),
];
