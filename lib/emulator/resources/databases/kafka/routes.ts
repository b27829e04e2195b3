import { databaseMessages, topicDefaults } from '../../../assumptions.ts';
import { topicSettings } from '../../../catalogue/database-config/topic.ts';
import { notFound, unprocessable } from '../../../errors.ts';
import { integerFrom, type JsonObject, onlyFields, optionalObject, requiredText } from '../../../fields.ts';
import { unlinkedReply } from '../../../paging.ts';
import type { Account } from '../../../store/account.ts';
import { durationMs } from '../../actions.ts';
import { type PlatformRequest, type Route, route } from '../../family.ts';
import { type ClusterEntry, knownCluster, onlineCluster } from '../clusters.ts';
import { exactJson } from '../settings/exact-json.ts';
import { choose, settingsText } from '../settings/settings.ts';
import { type Topic, type TopicEntry, type TopicHidden, topicId, topicSource, topics } from './topics.ts';

/** Source: operations databases_list_kafka_topics, _create_kafka_topic, _get_kafka_topic, _update_kafka_topic and _delete_kafka_topic. */
export const topicRoutes: readonly Route[] = [
  route('GET /v2/databases/{cluster}/topics', {}, (request, account) => {
    const { id } = kafkaOnly(knownCluster(account, request.params.cluster)).wire;
    return unlinkedReply(request, 'topics', topicSource(account, id));
  }),
  route('POST /v2/databases/{cluster}/topics', { status: 201 }, createTopic),
  route('GET /v2/databases/{cluster}/topics/{topic}', {}, ({ params }, account) => {
    const { id } = kafkaOnly(knownCluster(account, params.cluster)).wire;
    return topicReply(knownTopic(account, id, params.topic));
  }),
  route('PUT /v2/databases/{cluster}/topics/{topic}', {}, changeTopic),
  route('DELETE /v2/databases/{cluster}/topics/{topic}', { status: 204 }, ({ params }, account) => {
    const { id } = kafkaOnly(onlineCluster(account, params.cluster)).wire;
    const { wire, hidden } = changeableTopic(account, id, params.topic);
    topics.update(account, { ...wire, state: 'deleting' }, hidden);
    account.schedule(account.nowMs + durationMs(account, 'topicDelete'), 'database.topic-deleted', topicId(id, wire.name));
    return undefined;
  }),
];

/** What was configured is active, unless it was changed or made anew meanwhile. */
export function activateTopic(account: Account, id: string): void {
  const topic = topics.get(account, id);
  if (topic?.wire.state === 'configuring' && topic.hidden.activeAtMs === account.nowMs) {
    topics.update(account, { ...topic.wire, state: 'active' }, topic.hidden);
  }
}

export function removeTopic(account: Account, id: string): void {
  topics.remove(account, id);
}

/** The examples of the document say `partitions` and `replication` where its schemas have `partition_count` and `replication_factor`. */
const FIELDS = ['partition_count', 'replication_factor', 'partitions', 'replication', 'config'];

function createTopic({ params, bodyText }: PlatformRequest, account: Account): string {
  const cluster = kafkaOnly(onlineCluster(account, params.cluster));
  const { id } = cluster.wire;
  const body = exactJson(bodyText);
  onlyFields(body, ['name', ...FIELDS]);
  const name = requiredText(body, 'name');
  if (!/^[a-zA-Z0-9._-]{1,249}$/.test(name) || name === '.' || name === '..') {
    throw unprocessable(databaseMessages.topicName);
  }
  if (topics.get(account, topicId(id, name)) !== undefined) {
    throw unprocessable(databaseMessages.topicTaken);
  }
  const wire: Topic = {
    name,
    state: 'configuring',
    partition_count: readPartitions(body, 1, topicDefaults.partitions),
    replication_factor: readReplicas(body, cluster, topicDefaults.replicas),
  };
  const hidden: TopicHidden = {
    cluster: id,
    settings: choose(topicSettings, {}, optionalObject(body, 'config') ?? {}, 'config.'),
    activeAtMs: configuredLater(account, id, name),
  };
  topics.insert(account, wire, hidden);
  return topicReply({ wire, hidden });
}

function changeTopic({ params, bodyText }: PlatformRequest, account: Account): string {
  const cluster = kafkaOnly(onlineCluster(account, params.cluster));
  const topic = changeableTopic(account, cluster.wire.id, params.topic);
  const body = exactJson(bodyText);
  onlyFields(body, FIELDS);
  const wire: Topic = {
    ...topic.wire,
    state: 'configuring',
    partition_count: readPartitions(body, topic.wire.partition_count, topic.wire.partition_count),
    replication_factor: readReplicas(body, cluster, topic.wire.replication_factor),
  };
  const hidden: TopicHidden = {
    ...topic.hidden,
    settings: choose(topicSettings, topic.hidden.settings, optionalObject(body, 'config') ?? {}, 'config.'),
    activeAtMs: configuredLater(account, cluster.wire.id, topic.wire.name),
  };
  topics.update(account, wire, hidden);
  return topicReply({ wire, hidden });
}

/** Has a topic be active once it has been configured, and gives the moment of that. */
function configuredLater(account: Account, cluster: string, name: string): number {
  const atMs = account.nowMs + durationMs(account, 'topicConfigure');
  account.schedule(atMs, 'database.topic-configured', topicId(cluster, name));
  return atMs;
}

/** A topic with its partitions and every setting. Source: component `kafka_topic_verbose`. */
function topicReply({ wire, hidden }: TopicEntry): string {
  const partitions = Array.from({ length: wire.partition_count }, (_partition, id) => ({
    size: 0,
    id,
    in_sync_replicas: wire.replication_factor,
    earliest_offset: 0,
    consumer_groups: null,
  }));
  const text = JSON.stringify({ ...wire, partitions });
  return `{"topic":${text.slice(0, -1)},"config":${settingsText(topicSettings, hidden.settings)}}}`;
}

function readPartitions(body: JsonObject, least: number, absent: number): number {
  const given = { partition_count: body.partition_count ?? body.partitions };
  const count = integerFrom(given, 'partition_count', 1, topicDefaults.maxPartitions, absent);
  if (count < least) {
    throw unprocessable(databaseMessages.partitionsShrink);
  }
  return count;
}

function readReplicas(body: JsonObject, { wire }: ClusterEntry, absent: number): number {
  const given = { replication_factor: body.replication_factor ?? body.replication };
  const replicas = integerFrom(given, 'replication_factor', 1, Number.MAX_SAFE_INTEGER, absent);
  if (replicas > wire.num_nodes) {
    throw unprocessable(databaseMessages.replicas);
  }
  return replicas;
}

function kafkaOnly(cluster: ClusterEntry): ClusterEntry {
  if (cluster.wire.engine !== 'kafka') {
    throw unprocessable(databaseMessages.onlyKafka);
  }
  return cluster;
}

function knownTopic(account: Account, cluster: string, name = ''): TopicEntry {
  const topic = topics.get(account, topicId(cluster, name));
  if (topic === undefined) {
    throw notFound();
  }
  return topic;
}

function changeableTopic(account: Account, cluster: string, name: string | undefined): TopicEntry {
  const topic = knownTopic(account, cluster, name);
  if (topic.wire.state === 'deleting') {
    throw unprocessable(databaseMessages.topicDeleting);
  }
  return topic;
}
