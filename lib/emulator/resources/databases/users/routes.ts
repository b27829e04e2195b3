import { databaseMessages } from '../../../assumptions.ts';
import { forbidden, notFound, unprocessable } from '../../../errors.ts';
import { onlyFields, optionalObject } from '../../../fields.ts';
import { unlinkedReply } from '../../../paging.ts';
import type { Account } from '../../../store/account.ts';
import { type PlatformRequest, type Route, route } from '../../family.ts';
import { type ClusterEntry, engineOf, knownCluster, onlineCluster } from '../clusters.ts';
import { addUser } from './add-user.ts';
import { readUserSettings } from './user-settings.ts';
import { type User, userId, userSource, users } from './users.ts';

/** Source: operations databases_list_users, _add_user, _get_user, _update_user and _delete_user. */
export const userRoutes: readonly Route[] = [
  route('GET /v2/databases/{cluster}/users', {}, (request, account) => {
    const { id } = withUsers(knownCluster(account, request.params.cluster)).wire;
    return unlinkedReply(request, 'users', userSource(account, id));
  }),
  route('POST /v2/databases/{cluster}/users', { status: 201 }, ({ params, body }, account) => {
    const { wire } = withUsers(onlineCluster(account, params.cluster));
    return { user: addUser(account, wire.id, engineOf(wire), body) };
  }),
  route('GET /v2/databases/{cluster}/users/{user}', {}, ({ params }, account) => {
    const { id } = withUsers(knownCluster(account, params.cluster)).wire;
    return { user: knownUser(account, id, params.user) };
  }),
  route('PUT /v2/databases/{cluster}/users/{user}', { status: 201 }, changeUser),
  route('DELETE /v2/databases/{cluster}/users/{user}', { status: 204 }, ({ params }, account) => {
    const { id } = withUsers(onlineCluster(account, params.cluster)).wire;
    const { name, role } = knownUser(account, id, params.user);
    if (role === 'primary') {
      throw forbidden(databaseMessages.adminStays);
    }
    users.remove(account, userId(id, name));
    return undefined;
  }),
];

function changeUser({ params, body }: PlatformRequest, account: Account): object {
  const { wire } = withUsers(onlineCluster(account, params.cluster));
  const user = knownUser(account, wire.id, params.user);
  onlyFields(body, ['settings']);
  const given = optionalObject(body, 'settings');
  if (given === undefined) {
    throw unprocessable('settings is required.');
  }
  const settings = readUserSettings(wire.engine, given, user.settings);
  const changed: User = { ...user, ...(settings && { settings }) };
  users.update(account, changed, { cluster: wire.id });
  return { user: changed };
}

/** Errors: 422 where the engine has no users to manage. */
function withUsers(cluster: ClusterEntry): ClusterEntry {
  if (!engineOf(cluster.wire).hasUsers) {
    throw unprocessable(databaseMessages.noUsers);
  }
  return cluster;
}

function knownUser(account: Account, cluster: string, name = ''): User {
  const user = users.get(account, userId(cluster, name))?.wire;
  if (user === undefined) {
    throw notFound();
  }
  return user;
}
