import { randomBytes } from 'node:crypto';
import type { EngineSlug } from '../../../catalogue/databases.ts';
import { choice, flag, type JsonObject, objects, onlyFields, optionalObject, optionalText, requiredText, texts } from '../../../fields.ts';
import type { UserSettings } from './users.ts';

/**
 * The settings that an engine's users have, read from what a request says over what was. Errors: 422 for the settings of another
 * engine and for permissions that the engine does not know. Source: the OpenAPI document, component `user_settings`.
 */
export function readUserSettings(engine: EngineSlug, given: JsonObject, before: UserSettings | undefined): UserSettings | undefined {
  const reader = READERS[engine];
  onlyFields(given, reader?.fields ?? [], 'settings.');
  return reader?.read(given, before ?? {});
}

interface Reader {
  readonly fields: readonly (keyof UserSettings)[];
  readonly read: (given: JsonObject, before: UserSettings) => UserSettings;
}

/** Left out, it is false: also in an update. */
const postgresql: Reader = {
  fields: ['pg_allow_replication'],
  read: (given) => ({ pg_allow_replication: flag(given, 'pg_allow_replication') }),
};

const READERS: Partial<Record<EngineSlug, Reader>> = {
  pg: postgresql,
  advanced_pg: postgresql,
  kafka: {
    fields: ['acl'],
    read: (given, { acl = [] }) => ({
      acl: given.acl === undefined ? acl : readTopicRules(objects(given, 'acl'), acl),
    }),
  },
  opensearch: {
    fields: ['opensearch_acl'],
    read: (given, { opensearch_acl = [] }) => ({
      opensearch_acl: given.opensearch_acl === undefined ? opensearch_acl : objects(given, 'opensearch_acl').map(readIndexRule),
    }),
  },
  mongodb: {
    fields: ['mongo_user_settings'],
    read: (given, { mongo_user_settings: before = { databases: ['admin'], role: 'readWrite' } }) => {
      const wanted = optionalObject(given, 'mongo_user_settings') ?? {};
      onlyFields(wanted, ['databases', 'role'], 'settings.mongo_user_settings.');
      const databases = wanted.databases === undefined ? before.databases : texts(wanted, 'databases');
      return { mongo_user_settings: { databases, role: choice(wanted, 'role', MONGO_ROLES, before.role) } };
    },
  },
};

const TOPIC_PERMISSIONS = ['admin', 'consume', 'produce', 'produceconsume'] as const;
const INDEX_PERMISSIONS = ['deny', 'admin', 'read', 'readwrite', 'write'] as const;
const MONGO_ROLES: readonly string[] = ['readOnly', 'readWrite', 'dbAdmin'];

type TopicRules = NonNullable<UserSettings['acl']>;

/** The ids are computed; one that the user has already stays with the first rule that names it. */
function readTopicRules(given: readonly JsonObject[], before: TopicRules): TopicRules {
  const known = new Set(before.map(({ id }) => id));
  return given.map((rule) => {
    onlyFields(rule, ['id', 'topic', 'permission'], 'settings.acl.');
    const named = optionalText(rule, 'id') ?? '';
    const id = known.delete(named) ? named : `acl${randomBytes(6).toString('hex')}`;
    return { id, topic: requiredText(rule, 'topic'), permission: choice(rule, 'permission', TOPIC_PERMISSIONS) };
  });
}

function readIndexRule(given: JsonObject): NonNullable<UserSettings['opensearch_acl']>[number] {
  onlyFields(given, ['index', 'permission'], 'settings.opensearch_acl.');
  return { index: requiredText(given, 'index'), permission: choice(given, 'permission', INDEX_PERMISSIONS, 'deny') };
}
